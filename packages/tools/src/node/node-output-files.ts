import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { removeOldSiblings } from "@unroll/files";
import type { Clock } from "@unroll/flow";
import { checkShape, findBoundaryBefore } from "@unroll/text";
import type { OutputFile, OutputFiles } from "../port/output-files.ts";

/** The output files of a thread. Disposing removes them. */
export interface NodeOutputFiles extends OutputFiles, AsyncDisposable {}

export interface NodeOutputFilesOptions extends Pick<Clock, "now"> {
  /** Absolute. For this thread only; its parent holds only such folders. Created with the first file. */
  readonly folder: string;
  /** Limit of one file, in bytes; default 64 MiB. */
  readonly maxFileBytes?: number;
  /** Limit of all files together, in bytes; default 1 GiB. */
  readonly maxBytes?: number;
}

const mebibyte = 1024 * 1024;
/** After this time, in ms, another thread removes a folder that a crash left behind. */
const maxAge = 7 * 24 * 3_600_000;

/** Writes `output-1.txt` and so on, readable by this user only. Text beyond the limits is dropped. */
export function createNodeOutputFiles(options: NodeOutputFilesOptions): NodeOutputFiles {
  checkShape("createNodeOutputFiles", options, { folder: "text", now: "a function" });
  const { folder, maxFileBytes = 64 * mebibyte } = options;
  let freeBytes = options.maxBytes ?? 1024 * mebibyte;
  let count = 0;
  let preparing: Promise<void> | null = null;

  async function prepareFolder(): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeOldSiblings(folder, options.now() - maxAge).catch(() => {}); // the next thread tries again
  }

  /** Reserves room for up to `wanted` bytes in a file that holds `kept`; returns how many were reserved. */
  function reserve(wanted: number, kept: number): number {
    const taken = Math.min(wanted, maxFileBytes - kept, freeBytes);
    freeBytes -= taken;
    return taken;
  }

  return {
    async open() {
      const path = join(folder, `output-${(count += 1)}.txt`);
      try {
        await (preparing ??= prepareFolder());
        return createOutputFile(path, await open(path, "wx", 0o600), reserve);
      } catch {
        return null;
      }
    },
    async [Symbol.asyncDispose]() {
      if (preparing === null) return;
      await rm(folder, { recursive: true, force: true }).catch(() => {}); // another thread tries again in time
    },
  };
}

function createOutputFile(
  path: string,
  file: FileHandle,
  reserve: (wanted: number, kept: number) => number,
): OutputFile {
  let keptBytes = 0;
  let droppedBytes = 0;
  return {
    path,
    get keptBytes() {
      return keptBytes;
    },
    get droppedBytes() {
      return droppedBytes;
    },
    async write(text) {
      const bytes = Buffer.from(text);
      const room = droppedBytes > 0 ? 0 : reserve(bytes.length, keptBytes);
      const written = await writeStart(file, bytes, findBoundaryBefore(bytes, room));
      keptBytes += written;
      droppedBytes += bytes.length - written;
    },
    close: () => file.close(),
  };
}

/** Returns how many bytes were written: `length`, or 0 if the system refuses. */
async function writeStart(file: FileHandle, bytes: Buffer, length: number): Promise<number> {
  try {
    if (length > 0) await file.writeFile(bytes.subarray(0, length));
    return length;
  } catch {
    return 0;
  }
}
