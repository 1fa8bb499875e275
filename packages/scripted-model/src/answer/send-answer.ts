import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type Chunk, encodeChunk, type Answer } from "./plan-answer.ts";

/** Sends an answer. Returns early, with every timer gone, when the connection closes. */
export async function sendAnswer(response: ServerResponse, answer: Answer): Promise<void> {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  try {
    await pause(answer.delayMs, closed.signal);
    await sendChunks(response, answer, closed.signal);
    end(response, answer.ending);
  } catch (error) {
    if (!closed.signal.aborted) throw error;
  }
}

async function sendChunks(response: ServerResponse, answer: Answer, closed: AbortSignal): Promise<void> {
  response.writeHead(answer.status, answer.headers);
  response.flushHeaders();
  const chunks =
    answer.chunkDelayMs > 0 || answer.chunks.length < 2
      ? answer.chunks
      : [Buffer.concat(answer.chunks.map((chunk) => Buffer.from(encodeChunk(chunk))))];
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0) await pause(answer.chunkDelayMs, closed);
    await write(response, chunk);
  }
}

/** To a client that went away there is nothing to report: its closing ends the answer. */
function write(response: ServerResponse, chunk: Chunk): Promise<void> {
  return new Promise((resolve) => {
    response.write(encodeChunk(chunk), () => resolve());
  });
}

function end(response: ServerResponse, ending: Answer["ending"]): void {
  switch (ending) {
    case "whole":
    case "end":
      response.end();
      return;
    case "close":
      response.socket?.destroySoon();
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "hang":
  }
}

/** Waits, in ms. Rejects as soon as the connection is closed. */
export async function pause(milliseconds: number, closed: AbortSignal): Promise<void> {
  closed.throwIfAborted();
  if (milliseconds > 0) await wait(milliseconds, undefined, { signal: closed });
}
