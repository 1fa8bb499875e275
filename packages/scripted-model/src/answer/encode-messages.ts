import { isJsonObject } from "../json.ts";
import { parseJson } from "../parse-json.ts";
import { encodeChunk, isEvent } from "./chunk.ts";
import type { Answer } from "./plan-answer.ts";

/** An answer as messages of a WebSocket: an event each; what is no event stream is one `error` with its status and headers. */
export function encodeMessages({ status, headers, chunks }: Answer): readonly (string | Uint8Array)[] {
  if (status < 300) return chunks.map((chunk) => (isEvent(chunk) ? JSON.stringify(chunk) : chunk));
  return [JSON.stringify({ type: "error", status, headers, error: readError(chunks) })];
}

function readError(chunks: Answer["chunks"]): unknown {
  try {
    const body = parseJson(chunks.map((chunk) => Buffer.from(encodeChunk(chunk)).toString("utf8")).join(""));
    return isJsonObject(body) ? body["error"] : null;
  } catch {
    return null;
  }
}
