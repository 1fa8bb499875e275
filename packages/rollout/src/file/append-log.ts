import { describeSystemError, systemErrorCode } from "@unroll/text";
import type { AppendFile } from "./append-file.ts";
import type { DraftFile } from "./draft-file.ts";

/** Writes added lines to the end of a file, in order; everything that waits goes in one write. */
export interface AppendLog extends AsyncDisposable {
  /** Never waits, never throws. */
  add(lines: readonly Uint8Array[]): void;
  /**
   * Resolves when the system has all added bytes: they outlast this process. Rejects if a write failed; the next write tries the same
   * bytes again.
   */
  settled(): Promise<void>;
}

export interface AppendLogOptions {
  readonly path: string;
  /** Called with the first write; again if it failed. A draft is published when that is whole. */
  readonly open: () => Promise<AppendFile | DraftFile>;
  /** Where to continue; whatever the file has behind it is dropped with the first write. */
  readonly length: number;
}

/** Disposing it writes the rest, flushes it to the disk and closes the file; throws if that fails. */
export function createAppendLog({ path, open, length }: AppendLogOptions): AppendLog {
  let waiting: Uint8Array[] = [];
  let failure: { readonly error: unknown } | null = null;
  let writing: Promise<void> | null = null;
  let soon: NodeJS.Immediate | null = null;
  let file: AppendFile | DraftFile | null = null;
  let end = length;
  let isFirst = true;

  function begin(): Promise<void> {
    if (soon !== null) clearImmediate(soon);
    soon = null;
    return (writing ??= writeAll());
  }

  async function writeAll(): Promise<void> {
    await Promise.resolve(); // what is added in the same breath goes along
    try {
      while (waiting.length > 0) await writeWaiting();
      failure = null;
    } catch (error) {
      failure = { error };
    } finally {
      writing = null;
    }
  }

  async function writeWaiting(): Promise<void> {
    const taken = waiting;
    waiting = [];
    try {
      await write(Buffer.concat(taken));
    } catch (error) {
      waiting = [...taken, ...waiting];
      throw error;
    }
  }

  /** Writes all of it or, as far as a reader sees, nothing. Throws the system's reason, in words and with its code. */
  async function write(bytes: Uint8Array): Promise<void> {
    try {
      file ??= await open();
      if (isFirst && length > 0) await file.truncate(end);
      await file.write(bytes, end);
      if (isFirst && "publish" in file) await file.publish();
      isFirst = false;
      end += bytes.length;
    } catch (error) {
      // where this fails too, the next write covers what is there, or a reader drops it
      await file?.truncate(end).catch(() => {});
      throw isRefusal(error) ? toWriteError(error, path) : error;
    }
  }

  async function close(): Promise<void> {
    try {
      await file?.sync();
    } finally {
      await file?.close();
    }
  }

  async function settled(): Promise<void> {
    await writing;
    if (waiting.length > 0) await begin();
    if (failure !== null) throw failure.error;
  }

  return {
    add(lines) {
      waiting.push(...lines);
      // nobody waits for it yet: what comes until the system is asked for news goes along
      if (failure === null && writing === null) soon ??= setImmediate(() => void begin());
    },
    settled,
    async [Symbol.asyncDispose]() {
      try {
        await settled();
      } finally {
        await close();
      }
    },
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && "errno" in error;
}

/** The same message with the fields by which programs recognize system errors. */
function toWriteError(cause: unknown, path: string): Error {
  const code = systemErrorCode(cause) ?? "EIO";
  const remedy = code === "EMFILE" ? "" : " Keep threads elsewhere (CODEX_HOME), or none (--ephemeral).";
  const message = `${path} cannot be written: ${describeSystemError(cause)}.${remedy}`;
  return Object.assign(new Error(message, { cause }), { path, syscall: "write", code });
}
