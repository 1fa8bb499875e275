import type { IncomingMessage } from "node:http";

/** The whole body; null when the client went away before its end. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  } catch (error) {
    if (request.destroyed) return null;
    throw error;
  }
  return Buffer.concat(chunks);
}
