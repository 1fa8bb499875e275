import { createResponsesClient } from "@unroll/responses-client";
import { createLawBook } from "../../law/law-book.ts";
import { startProcess } from "../../simulated-process.ts";
import { createVirtualTime } from "../../time/virtual-time.ts";
import { type ServedSocket, SimulatedSocket } from "../../simulated-socket.ts";
import { demand, type FuzzTarget } from "../fuzz-target.ts";

const key = "a-key-for-fuzzing-0123456789";
const head = Buffer.from("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n");
const chunks = [Buffer.from('{"model":"m","stream":true,"input":[]}')];

/**
 * Any stream of a server has one outcome, however it is cut. The outcome blames the server and does not contain the
 * key.
 */
export function openSseTarget(): FuzzTarget {
  return {
    async check(bytes) {
      const whole = await read([bytes]);
      demand(!whole.includes(key), "the key is told");
      demand(!/"code":"(?:internal|bug)/.test(whole), `a bug is told: ${whole.slice(-300)}`);
      const size = 1 + (bytes.length % 13);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const cut = await read(pieces);
      demand(
        cut === whole,
        `in pieces of ${size} bytes it is another answer: ${cut.slice(-300)} and not ${whole.slice(-300)}`,
      );
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** All events of the client for an answer in these pieces, as JSON. */
async function read(pieces: readonly Uint8Array[]): Promise<string> {
  const time = createVirtualTime();
  const book = createLawBook(() => time.elapsed);
  const process = startProcess({ time, book, now: () => time.elapsed, killAt: null });
  const client = createResponsesClient({
    provider: { id: "fuzz", baseUrl: "http://fuzz.invalid/v1", queryParams: {}, headers: {}, streamMaxRetries: 0 },
    credential: { authorization: async () => ({ authorization: `Bearer ${key}` }) },
    clock: process.clock,
    random: () => 0.5,
    userAgent: "fuzz",
    connect: () => new SimulatedSocket((_request, socket) => serve(socket, pieces)),
  });
  const told = await time.drive(
    readAll(client.stream({ threadId: "t", turnId: "1", chunks }, new AbortController().signal)),
  );
  client.close();
  return told;
}

function serve(socket: ServedSocket, pieces: readonly Uint8Array[]): void {
  socket.send(head);
  for (const piece of pieces) socket.send(piece);
  socket.end();
}

/** Returns the deltas of a type as one text: the client joins those that it reads at once, which depends on the cuts. */
async function readAll(events: AsyncGenerator<unknown, unknown>): Promise<string> {
  const told: unknown[] = [];
  const deltas: Record<string, string> = {};
  for (;;) {
    const { value, done } = await events.next();
    if (isDelta(value)) deltas[value.type] = (deltas[value.type] ?? "") + value.delta;
    else told.push(value);
    if (done === true) return JSON.stringify([...told, deltas]);
  }
}

function isDelta(event: unknown): event is { readonly type: string; readonly delta: string } {
  if (typeof event !== "object" || event === null || !("type" in event) || !("delta" in event)) return false;
  return typeof event.type === "string" && typeof event.delta === "string";
}
