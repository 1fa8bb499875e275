import { join } from "node:path";
import { appendPlainFile, openPlainFile } from "@unroll/files";
import { replaceFile } from "../file/draft-beside.ts";
import type { RolloutFolder } from "../file/rollout-folder.ts";
import { parseUses, type ThreadUse } from "./parse-uses.ts";

/** How much of the end is read. In bytes. */
const tailBytes = 32 * 1024;
/** From here on it is cut to its end. In bytes. */
const mostBytes = 256 * 1024;

/**
 * Records a use of a thread, so that the latest one is found without reading all of them. It only saves time: it may be
 * removed, and if it cannot be written, all are read. Never rejects.
 */
export async function noteUse({ root }: Pick<RolloutFolder, "root">, use: ThreadUse): Promise<void> {
  try {
    await appendPlainFile(toPath(root), `${JSON.stringify({ v: 1, ...use })}\n`);
  } catch {
    // a folder that cannot be written: the thread's own write reports it
  }
}

/** The last first, each thread once; none where nothing was noted. */
export async function readUses({ root }: Pick<RolloutFolder, "root">): Promise<readonly ThreadUse[]> {
  const path = toPath(root);
  try {
    const { bytes, size } = await readTail(path);
    if (size > mostBytes) await cut(path);
    const uses = parseUses(bytes.toString("utf8")).toReversed();
    return uses.filter(({ file }, index) => uses.findIndex((other) => other.file === file) === index);
  } catch {
    return [];
  }
}

function toPath(root: string): string {
  return join(root, ".unroll-used");
}

async function readTail(path: string): Promise<{ readonly bytes: Buffer; readonly size: number }> {
  await using file = await openPlainFile(path, "read");
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(tailBytes), 0, tailBytes, Math.max(0, size - tailBytes));
  return { bytes: buffer.subarray(0, bytesRead), size };
}

/** Lines that another process adds meanwhile are lost; such a thread is then found by reading all of them. */
async function cut(path: string): Promise<void> {
  await replaceFile(path, (await readTail(path)).bytes);
}
