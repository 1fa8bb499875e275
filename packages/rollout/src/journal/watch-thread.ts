import { setTimeout } from "node:timers/promises";
import type { JournalEntry, WatchOptions } from "@unroll/protocol";
import type { ReadableFile } from "../file/read-lines.ts";
import { createFollower } from "../load/follow-rollout.ts";

/** A thread that another process may be writing. */
export interface WatchedThread {
  readonly threadId: string;
  /** Its file for people. */
  readonly path: string;
  /** Its size in bytes; null: it is gone. */
  measure(): Promise<number | null>;
  open(): Promise<ReadableFile & Partial<AsyncDisposable>>;
}

/** How long after a look the next one is: short for a person, and cheap for any store. No store has to report changes. */
const lookMs = 250;

/** As of `ThreadStore.watch`. Each byte is read once, unless a repair made the thread shorter. */
export async function* watchThread(
  thread: WatchedThread,
  { from = 0, signal }: WatchOptions,
): AsyncGenerator<readonly JournalEntry[], void> {
  let [follower, size, count, seen] = [createFollower(thread), -1, 0, from];
  while (!signal.aborted) {
    const found = await thread.measure(); // before it is read: what comes meanwhile is read with the next look
    if (found !== null && found < follower.length) [follower, size, count] = [createFollower(thread), -1, 0];
    if (found !== null && found !== size) {
      const file = await thread.open();
      await using _ = { [Symbol.asyncDispose]: async () => file[Symbol.asyncDispose]?.() };
      const entries = await follower.read(file);
      const fresh = entries.slice(Math.max(0, seen - count));
      [size, count] = [found, count + entries.length];
      seen = Math.max(seen, count);
      if (fresh.length > 0) yield fresh;
    }
    await setTimeout(lookMs, null, { signal }).catch(() => {}); // aborted: the loop ends
  }
}
