import type { Clock } from "@unroll/flow";
import type { ResumedThread, StoredThread } from "@unroll/protocol";
import { type AppendLogOptions, createAppendLog } from "../file/append-log.ts";
import { createEntryEncoder } from "../line/encode-entry.ts";
import type { LoadedRollout } from "../load/load-rollout.ts";

/** Until it is disposed nobody else writes the thread. */
export interface ThreadHold extends AsyncDisposable {
  /** As of `StoredJournal`. */
  readonly lost?: AbortSignal;
}

export interface ThreadToContinue extends Omit<AppendLogOptions, "length"> {
  readonly threadId: string;
  /** Released when the journal is disposed, or if the thread cannot be loaded. */
  readonly lock: ThreadHold;
  readonly load: () => Promise<LoadedRollout & Pick<StoredThread, "usedAt">>;
  readonly clock: Pick<Clock, "now">;
}

/** Loads a thread that is held. Its journal continues behind what was loaded, first with the repairs. */
export async function continueThread(thread: ThreadToContinue): Promise<ResumedThread> {
  const { threadId, path, open, clock } = thread;
  await using stack = new AsyncDisposableStack();
  stack.use(thread.lock);
  const { entries, usedAt, added, repairs, length, nextOrdinal } = await thread.load();
  const log = stack.use(createAppendLog({ path, open, length }));
  const numbering = nextOrdinal === null ? null : { threadId, next: nextOrdinal };
  const encoder = createEntryEncoder({ meta: null, clock, before: entries, numbering });
  for (const entry of added) log.add(encoder.encode(entry));
  const held = stack.move();
  const journal = {
    isKept: true,
    ...(thread.lock.lost && { lost: thread.lock.lost }),
    record: (entry: (typeof entries)[number]) => log.add(encoder.encode(entry)),
    settled: () => log.settled(),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
  return { threadId, entries, usedAt, repairs, journal };
}
