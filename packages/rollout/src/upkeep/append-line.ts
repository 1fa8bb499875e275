import type { FileHandle } from "node:fs/promises";
import { openPlainFile } from "@unroll/files";

const newline = 0x0a;
/** How much is read at once to find the end of the last whole line. In bytes. */
const stepBytes = 64 * 1024;

/** Writes a line behind the last whole one; a line that was cut off is dropped. It does not count as a use of the thread. */
export async function appendLine(path: string, line: Uint8Array): Promise<void> {
  await using file = await openPlainFile(path, "update");
  const { size, atimeMs, mtimeMs } = await file.stat();
  const end = await findEnd(file, size);
  if (end < size) await file.truncate(end);
  for (let done = 0; done < line.length;) {
    const { bytesWritten } = await file.write(line, done, line.length - done, end + done);
    done += bytesWritten;
  }
  await file.datasync();
  await file.utimes(atimeMs / 1000, mtimeMs / 1000);
}

async function findEnd(file: FileHandle, size: number): Promise<number> {
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - stepBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    const at = buffer.subarray(0, bytesRead).lastIndexOf(newline);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}
