import { once } from "node:events";
import type { Writable } from "node:stream";

/** Writes to a stream whose reader may be slow, or go away. */
export interface LineWriter {
  /** Waits where the reader is slow, unless the run was stopped. After the stream broke it does nothing. */
  write(text: string): Promise<void>;
  /** Resolves when all that was written has been handed over, or soon after the run was stopped. */
  flush(): Promise<void>;
}

/** The reasons to stop writing lines early. */
export interface LineWriterOptions {
  /** The run was stopped: nothing waits for a slow reader any more. */
  readonly stopped: AbortSignal;
  /** Called once, when the stream broke: the reader closed its end (`EPIPE`), or there is no more room. */
  readonly onBroken: (error: Error) => void;
}

/** How long a reader may still take what was written, once the run was stopped. In ms. */
const lastFlushMs = 1000;

/** A writer to a stream of the process; it listens to its errors from now on. */
export function createLineWriter(stream: Writable, { stopped, onBroken }: LineWriterOptions): LineWriter {
  let isBroken = false;
  stream.on("error", (error: Error) => {
    if (isBroken) return;
    isBroken = true;
    onBroken(error);
  });
  return {
    async write(text) {
      if (isBroken || stream.write(text)) return;
      await settled(stream, ["drain", "close"], stopped);
    },
    async flush() {
      if (isBroken) return;
      const flushed = new AbortController();
      stream.write("", () => flushed.abort());
      let limit: NodeJS.Timeout | undefined;
      const startLimit = (): void => void (limit = setTimeout(() => flushed.abort(), lastFlushMs));
      if (stopped.aborted) startLimit();
      else stopped.addEventListener("abort", startLimit, { once: true });
      await settled(stream, ["close"], flushed.signal);
      stopped.removeEventListener("abort", startLimit);
      clearTimeout(limit);
    },
  };
}

/** Resolves at the first of the events or at the abort, and leaves no listener behind. */
async function settled(stream: Writable, events: readonly string[], signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  try {
    await Promise.race(events.map((event) => once(stream, event, { signal: either }))).catch(() => {});
  } finally {
    done.abort();
  }
}
