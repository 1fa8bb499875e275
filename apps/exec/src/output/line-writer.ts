import { once } from "node:events";
import type { Writable } from "node:stream";

/** Writes to a stream whose reader may go away. */
export interface LineWriter {
  /** Waits where the reader is slow. After the reader has gone it does nothing. */
  write(text: string): Promise<void>;
  /** Resolves when all that was written has been handed over. */
  flush(): Promise<void>;
}

/** `onGone` is called once, when the reader has closed its end (`unroll exec … | head -1`). */
export function createLineWriter(stream: Writable, onGone: () => void): LineWriter {
  let isGone = false;
  stream.on("error", () => {
    if (isGone) return;
    isGone = true;
    onGone();
  });
  return {
    async write(text) {
      if (isGone || stream.write(text)) return;
      await Promise.race([once(stream, "drain"), once(stream, "close")]).catch(() => {});
    },
    async flush() {
      if (isGone) return;
      const flushed = Promise.withResolvers<void>();
      stream.write("", () => flushed.resolve());
      await flushed.promise;
    },
  };
}
