import { constants, open } from "node:fs/promises";

/**
 * The bytes of a file in one of our folders. A named pipe is refused: it would keep a reader for ever, and its signals too.
 * Throws what the system says.
 */
export async function readRegularFile(path: string): Promise<Uint8Array> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await file.stat()).isFIFO()) throw new Error("it is a pipe, not a regular file");
  return await file.readFile();
}
