import { type AppendFile, type DraftFile, type ThreadFiles, ThreadStoreError } from "@unroll/rollout";
import type { Chance } from "./create-chance.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { untended } from "./untended.ts";

/** The files of threads, which outlast every process. */
export interface SimulatedDisk {
  /** As one process sees them. */
  filesFor(process: SimulatedProcess): ThreadFiles;
  /** The current bytes of a thread's file; empty if there is none. */
  bytesOf(threadId: string): Buffer;
}

interface File {
  bytes: Buffer;
  /** The allocated buffer; `bytes` is its beginning. */
  space: Buffer;
}

export interface DiskOptions {
  readonly chance: Chance;
  /** How often a write fails, in whole or in part. */
  readonly faults: () => number;
  readonly onFault: (what: string) => void;
}

export function createSimulatedDisk({ chance, faults, onFault }: DiskOptions): SimulatedDisk {
  const files = new Map<string, File>();
  const holders = new Map<string, SimulatedProcess>();
  const fail = createFaults({ chance, faults, onFault });

  async function open(file: File, process: SimulatedProcess): Promise<AppendFile> {
    await process.step("open");
    const failure = fail();
    if (failure !== null) throw failure;
    return openFor({ file, process, chance, fail });
  }

  return {
    bytesOf: (threadId) => files.get(threadId)?.bytes ?? Buffer.alloc(0),
    filesFor: (process) => ({
      async find(threadId) {
        const file = files.get(threadId);
        if (file === undefined) throw new ThreadStoreError("thread_missing", `There is no thread ${threadId}.`);
        return { threadId, place: threadId, isArchived: false, usedAt: null, size: file.bytes.length };
      },
      async read(threadId) {
        await process.step(`read ${threadId}`);
        const file = files.get(threadId);
        if (file === undefined) throw toSystemError("ENOENT", numbers.ENOENT);
        const bytes = Buffer.from(file.bytes);
        return {
          async read(buffer, ...[offset, length, position]) {
            return { bytesRead: bytes.copy(buffer, offset, position, position + length) };
          },
        };
      },
      async open(threadId) {
        const file = files.get(threadId);
        if (file === undefined) throw toSystemError("ENOENT", numbers.ENOENT);
        return open(file, process);
      },
      async create(threadId): Promise<DraftFile> {
        const file = { bytes: Buffer.alloc(0), space: Buffer.alloc(0) };
        return {
          ...(await open(file, process)),
          async publish() {
            await process.step(`publish ${threadId}`);
            const failure = fail();
            if (failure !== null) throw failure;
            files.set(threadId, file);
          },
        };
      },
      async hold(threadId) {
        await process.step("lock");
        if (holders.get(threadId)?.isAlive === true) throw new ThreadStoreError("thread_locked", "Another one has it.");
        holders.set(threadId, process);
        return {
          [Symbol.asyncDispose]: async () => void (holders.get(threadId) === process && holders.delete(threadId)),
        };
      },
      async *list() {},
      upkeep: untended,
    }),
  };
}

function place(file: File, bytes: Uint8Array, position: number): void {
  const end = position + bytes.length;
  if (end > file.space.length) {
    const grown = Buffer.alloc(2 * end);
    file.bytes.copy(grown);
    file.space = grown;
  }
  file.bytes = file.space.subarray(0, Math.max(file.bytes.length, end));
  file.bytes.set(bytes, position);
}

function toSystemError(code: string, errno: number): Error {
  return Object.assign(new Error(`${code}: simulated, write`), { code, errno, syscall: "write" });
}

/** As of errno(3), negative. */
const numbers = { ENOENT: -2, ENOSPC: -28, EIO: -5, EDQUOT: -122 };

/** Gives what the next write fails by; null: it does not. */
function createFaults({ chance, faults, onFault }: DiskOptions): () => Error | null {
  /** So many writes from now on find no space. */
  let full = 0;
  return () => {
    const rate = faults();
    if (rate === 0) return null;
    if (full > 0) {
      full -= 1;
      return toSystemError("ENOSPC", numbers.ENOSPC);
    }
    if (!chance.happens(rate)) return null;
    if (chance.happens(0.5)) full = 1 + chance.below(4);
    const code = full > 0 ? "ENOSPC" : chance.pick<"EIO" | "EDQUOT">("EIO", "EDQUOT");
    onFault(`disk ${code}`);
    return toSystemError(code, numbers[code]);
  };
}

interface OpenFile {
  readonly file: File;
  readonly process: SimulatedProcess;
  readonly chance: Chance;
  readonly fail: () => Error | null;
}

function openFor({ file, process, chance, fail }: OpenFile): AppendFile {
  return {
    async write(bytes, position) {
      await process.step(`write ${bytes.length} bytes at ${position}`);
      if (chance.happens(0.1)) await process.wait(chance.below(50));
      const failure = fail();
      const torn = chance.below(bytes.length + 1);
      place(file, bytes.subarray(0, torn), position);
      if (failure !== null) throw failure;
      await process.step("write the rest");
      place(file, bytes.subarray(torn), position + torn);
    },
    async truncate(length) {
      await process.step(`truncate to ${length}`);
      const failure = chance.happens(0.5) ? fail() : null;
      if (failure !== null) throw failure;
      file.bytes = file.bytes.subarray(0, length);
    },
    async sync() {
      await process.step("sync");
    },
    close: async () => {},
  };
}
