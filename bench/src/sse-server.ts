// A process of its own, for sse-throughput: answers every POST with argv[2] small delta events, made before it listens.
// A path with `/blocks` gets them in writes of 64 KiB, any other in one write an event. Prints its port.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const blockBytes = 65_536;

const events = Array.from({ length: Number(process.argv[2]) }, (_, number) =>
  toSse({
    type: "response.output_text.delta",
    sequence_number: number,
    item_id: "msg_68f1b2c3d4e5f60718293a4b5c6d7e8f",
    output_index: 0,
    content_index: 0,
    delta: ` word${number % 97}`,
    logprobs: [],
    obfuscation: "aB3",
  }),
);
const last = toSse({ type: "response.completed", response: { id: "resp_1", output: [], usage: null } });
const writes = [...events, last];
const body = Buffer.concat(writes);
const blocks = Array.from({ length: Math.ceil(body.length / blockBytes) }, (_, index) =>
  body.subarray(index * blockBytes, (index + 1) * blockBytes),
);

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  write(response, request.url?.includes("/blocks") === true ? blocks : writes);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.resume().on("end", () => process.exit()); // ends with the process that began it

function toSse(event: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(`event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`);
}

function write(response: ServerResponse, pieces: readonly Buffer[], from = 0): void {
  for (let index = from; index < pieces.length; index++) {
    if (!response.write(pieces[index])) {
      response.once("drain", () => write(response, pieces, index + 1));
      return;
    }
  }
  response.end();
}
