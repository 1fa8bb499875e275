import { describeSystemError, systemErrorCode } from "@unroll/text";
import type { AppendFile } from "./append-file.ts";

/** The end of a file, to write on at. */
export interface FileTail {
  /** Writes all of it or, as far as a reader sees, nothing. Throws what the system said, in words and with its code. */
  write(bytes: Uint8Array): Promise<void>;
  /** Has the system put it on the disk. */
  close(): Promise<void>;
}

export interface FileTailOptions {
  readonly path: string;
  /** Called with the first write; again if it failed. */
  readonly open: () => Promise<AppendFile>;
  /** Where to continue; whatever the file has behind it is dropped with the first write. */
  readonly length: number;
}

export function createFileTail({ path, open, length }: FileTailOptions): FileTail {
  let file: AppendFile | null = null;
  let end = length;
  let isCut = length === 0;
  return {
    async write(bytes) {
      try {
        file ??= await open();
        if (!isCut) await file.truncate(end);
        isCut = true;
        await file.write(bytes, end);
        end += bytes.length;
      } catch (error) {
        // where this fails too, the next write covers what is there, or a reader drops it
        await file?.truncate(end).catch(() => {});
        throw isRefusal(error) ? toWriteError(error, path) : error;
      }
    },
    async close() {
      try {
        await file?.sync();
      } finally {
        await file?.close();
      }
    },
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && "errno" in error;
}

/** With what programs tell the system's refusals by. */
function toWriteError(cause: unknown, path: string): Error {
  const reason = describeSystemError(cause);
  const message = `${path} cannot be written: ${reason}. Keep threads elsewhere (CODEX_HOME), or none (--ephemeral).`;
  return Object.assign(new Error(message, { cause }), {
    path,
    syscall: "write",
    code: systemErrorCode(cause) ?? "EIO",
  });
}
