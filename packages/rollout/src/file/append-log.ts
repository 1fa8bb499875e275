import type { FileTail } from "./file-tail.ts";

/** Writes behind what is added, in order, all that waits at once. */
export interface AppendLog extends AsyncDisposable {
  /** Never waits, never throws. */
  add(bytes: Uint8Array): void;
  /**
   * Resolves when the system has all that was added: it is kept whatever happens to this process. Rejects where a write
   * failed; what was not written is tried again with the next.
   */
  settled(): Promise<void>;
}

/** Disposing it writes the rest and closes the file; throws where that fails. */
export function createAppendLog(tail: FileTail): AppendLog {
  let waiting: Uint8Array[] = [];
  let failure: { readonly error: unknown } | null = null;
  let writing: Promise<void> | null = null;
  let soon: NodeJS.Immediate | null = null;

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
      await tail.write(Buffer.concat(taken));
    } catch (error) {
      waiting = [...taken, ...waiting];
      throw error;
    }
  }

  async function settled(): Promise<void> {
    await writing;
    if (waiting.length > 0) await begin();
    if (failure !== null) throw failure.error;
  }

  return {
    add(bytes) {
      waiting.push(bytes);
      // nobody waits for it yet: what comes until the system is asked for news goes along
      if (failure === null && writing === null) soon ??= setImmediate(() => void begin());
    },
    settled,
    async [Symbol.asyncDispose]() {
      try {
        await settled();
      } finally {
        await tail.close();
      }
    },
  };
}
