import type { DraftFile } from "./draft-file.ts";
import type { ReadableFile } from "./read-lines.ts";

const readLength = 1024 * 1024;

/** A file's bytes from its beginning to its end. */
export async function* readBytes(file: ReadableFile): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; ;) {
    const buffer = Buffer.alloc(readLength);
    const { bytesRead } = await file.read(buffer, 0, readLength, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Writes a draft, publishes it as a whole or not at all, and closes it. */
export async function writeDraft(draft: DraftFile, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    let end = 0;
    for await (const some of bytes) {
      await draft.write(some, end);
      end += some.length;
    }
    await draft.sync();
    await draft.publish();
  } finally {
    await draft.close();
  }
}
