import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A server of the Responses API that answers by as many messages as one asks for, or by one that comes at a steady pace. */
export interface DeltaServer extends AsyncDisposable {
  readonly url: string;
}

/** The rate of a stream: this many ticks a second, each with some deltas, for this long. */
const ticksPerSecond = 100;
export const streamSeconds = 10;
export const deltasPerSecond = 5000;

/** Answers `cells N` with N messages, and everything else with the stream, which lasts `seconds`. */
export async function startDeltaServer(seconds = streamSeconds): Promise<DeltaServer> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => void answer(Buffer.concat(pieces).toString(), response, seconds));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(body: string, response: ServerResponse, seconds: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(toSse({ type: "response.created", response: { id: "resp_1" } }));
  const asked = body.lastIndexOf("cells ");
  const [, count] = /^cells (\d+)/.exec(asked < 0 ? "" : body.slice(asked, asked + 20)) ?? [];
  if (count === undefined) await writeStream(response, seconds);
  else for (let at = 0; at < Number(count); at += 1) response.write(toItem(at, makeCell(at)));
  const usage = { input_tokens: 1000, output_tokens: 10, total_tokens: 1010 };
  response.end(toSse({ type: "response.completed", response: { id: "resp_1", output: [], usage } }));
}

async function writeStream(response: ServerResponse, seconds: number): Promise<void> {
  let text = "";
  const began = performance.now();
  for (let tick = 0; tick < seconds * ticksPerSecond; tick += 1) {
    const late = began + (tick * 1000) / ticksPerSecond - performance.now();
    if (late > 0) await sleep(late);
    let block = "";
    for (let each = 0; each < deltasPerSecond / ticksPerSecond; each += 1) {
      const delta = makeDelta(tick * (deltasPerSecond / ticksPerSecond) + each);
      text += delta;
      block += toSse({
        type: "response.output_text.delta",
        item_id: "msg_1",
        output_index: 0,
        content_index: 0,
        delta,
      });
    }
    response.write(block);
  }
  response.write(toItem(0, text));
}

/** A word, some of them wide; a paragraph ends every 400. */
function makeDelta(at: number): string {
  return at % 400 === 399 ? ".\n\n" : at % 40 === 0 ? "日本 " : `word${at % 97} `;
}

/** Some twelve rows: prose, a list, code. */
function makeCell(at: number): string {
  const prose = `What was found in step ${at}: ${"the words of an answer go on, and ".repeat(6)}then it ends.`;
  const list = Array.from({ length: 4 }, (_, line) => `- \`src/file-${at}.ts\` line ${line}: **changed**`).join("\n");
  return `${prose}\n\n${list}\n\n\`\`\`\nconst step = ${at};\nrun(step);\n\`\`\``;
}

function toItem(at: number, text: string): string {
  const content = [{ type: "output_text", text, annotations: [] }];
  const item = { id: `msg_${at}`, type: "message", role: "assistant", status: "completed", content };
  return toSse({ type: "response.output_item.done", output_index: at, item });
}

function toSse(event: Readonly<Record<string, unknown>>): string {
  return `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`;
}
