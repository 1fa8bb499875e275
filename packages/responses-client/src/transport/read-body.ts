import type { Answer } from "./exchange.ts";

export interface BodyBounds {
  /** The body is read up to about here. */
  readonly maxBytes: number;
  /** The longest silence, in ms. */
  readonly patienceMs: number;
}

/** The body of an answer as text, its beginning where it is longer than `maxBytes`. Throws as `Answer.read` does. */
export async function readBody(answer: Answer, bounds: BodyBounds): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < bounds.maxBytes) {
    const chunk = await answer.read(bounds.patienceMs);
    if (chunk === null) break;
    chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks).toString("utf8");
}
