import type { ResponseBytes } from "@unroll/scripted-model";
import type { Chance } from "../create-chance.ts";
import type { SimulatedProcess } from "../simulated-process.ts";
import type { ServedSocket } from "../simulated-socket.ts";

/** An answer on its way to a process. */
export interface Sending {
  readonly answer: ResponseBytes;
  readonly socket: ServedSocket;
  readonly process: SimulatedProcess;
  readonly chance: Chance;
}

const mostPieces = 4;
/** How often a chunk comes in several. */
const cuts = 0.2;

/** Sends it as HTTP/1.1, in pieces of any size, at its pace. Resolves to whether all of it was sent. */
export async function sendAnswer(sending: Sending): Promise<boolean> {
  const { answer, socket, process, chance } = sending;
  if (answer.delayMs > 0) await process.wait(answer.delayMs);
  await send(sending, Buffer.from(toHead(answer)));
  const chunks = answer.chunkDelayMs > 0 ? answer.chunks : [Buffer.concat(answer.chunks)];
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0) await process.wait(answer.chunkDelayMs);
    for (const piece of cut(chunk, chance)) {
      await send(sending, Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
    }
  }
  if (!process.isAlive || !socket.isOpen) return false;
  switch (answer.ending) {
    case "whole":
    case "end":
      socket.send(Buffer.from("0\r\n\r\n"));
      return true;
    case "close":
      socket.end();
      return true;
    case "reset":
      socket.reset();
      return true;
    case "hang":
      return true;
  }
}

async function send({ process, socket }: Sending, ...bytes: readonly Uint8Array[]): Promise<void> {
  if (!socket.isOpen) return;
  await process.step("bytes of an answer");
  socket.send(Buffer.concat(bytes));
}

function toHead({ status, headers }: ResponseBytes): string {
  const lines = Object.entries({ ...headers, "transfer-encoding": "chunked" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`HTTP/1.1 ${status} Simulated`, ...lines, "", ""].join("\r\n");
}

/** Anywhere, also within a character. */
function cut(bytes: Uint8Array, chance: Chance): readonly Uint8Array[] {
  const count = bytes.length > 1 && chance.happens(cuts) ? chance.below(mostPieces) : 0;
  const ends = Array.from({ length: count }, () => 1 + chance.below(bytes.length - 1)).toSorted((a, b) => a - b);
  const pieces = [...ends, bytes.length].map((end, index, all) => bytes.subarray(all[index - 1] ?? 0, end));
  return pieces.filter(({ length }) => length > 0);
}
