import { isJsonObject, type JsonObject } from "../json.ts";

/** A piece of an answer: an event, or text or bytes as they stand. */
export type Chunk = JsonObject | string | Uint8Array;

/** As an event stream has it: an event is one SSE message. */
export function encodeChunk(chunk: Chunk): string | Uint8Array {
  return isEvent(chunk) ? `event: ${String(chunk["type"])}\ndata: ${JSON.stringify(chunk)}\n\n` : chunk;
}

export function isEvent(chunk: Chunk): chunk is JsonObject {
  return !(chunk instanceof Uint8Array) && isJsonObject(chunk);
}
