import { setTimeout } from "node:timers/promises";
import type { JournalEntry, StoredThread, WatchOptions } from "@unroll/protocol";

/** A thread that another process may be writing. */
export interface WatchedThread {
  /** Its size in bytes; null: it is gone. */
  measure(): Promise<number | null>;
  load(): Promise<Pick<StoredThread, "entries">>;
}

/** How long after a look the next one is: short for a person, and cheap for any store. No store has to report changes. */
const lookMs = 250;

/** As of `ThreadStore.watch`. The thread is loaded whenever it has grown, as often as that can be done. */
export async function* watchThread(
  thread: WatchedThread,
  { from = 0, signal }: WatchOptions,
): AsyncGenerator<readonly JournalEntry[], void> {
  let [seen, size]: [number, number | null] = [from, null];
  while (!signal.aborted) {
    const found = await thread.measure(); // before it is loaded: what comes meanwhile is seen again
    if (size === null || (found !== null && found !== size)) {
      const { entries } = await thread.load();
      if (entries.length > seen) yield entries.slice(seen);
      [seen, size] = [Math.max(seen, entries.length), found];
    }
    await setTimeout(lookMs, null, { signal }).catch(() => {}); // aborted: the loop ends
  }
}
