import { constants, open } from "node:fs/promises";

/** Far more than a person writes; enough for what programs generate. */
const maxBytes = 16 * 2 ** 20;

/**
 * The bytes of a file in one of our folders, up to 16 MiB. A named pipe is refused: it would keep a reader for ever, and its
 * signals too. Of devices, `/dev/null` stands for an empty file. Throws what the system says.
 */
export async function readRegularFile(path: string): Promise<Uint8Array> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = await file.stat();
  if (found.isFIFO()) throw new Error("it is a pipe, not a regular file");
  if (found.size > maxBytes) throw new Error(`it has more than ${maxBytes / 2 ** 20} MiB`);
  if (found.isFile() || found.isDirectory()) return await file.readFile();
  if ((await file.read(new Uint8Array(1))).bytesRead > 0) throw new Error("it is a device, not a regular file");
  return new Uint8Array();
}
