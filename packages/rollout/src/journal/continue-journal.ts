import type { Clock } from "@unroll/flow";
import type { StoredJournal } from "@unroll/protocol";
import { createAppendLog } from "../file/append-log.ts";
import { createFileTail, type FileTailOptions } from "../file/file-tail.ts";
import { createEntryEncoder } from "../line/encode-entry.ts";
import { createLineOrdinals } from "../line/line-ordinals.ts";
import type { LoadedRollout } from "../load/load-rollout.ts";

export interface ContinuedJournalOptions extends Omit<FileTailOptions, "length"> {
  readonly threadId: string;
  readonly loaded: Pick<LoadedRollout, "entries" | "added" | "length" | "nextOrdinal">;
  readonly clock: Pick<Clock, "now">;
}

/** Goes on behind what was loaded of a thread, first with what was added to mend it. */
export function continueJournal({ path, open, threadId, loaded, clock }: ContinuedJournalOptions): StoredJournal {
  const { entries, added, length, nextOrdinal } = loaded;
  const log = createAppendLog(createFileTail({ path, open, length }));
  const numbering = nextOrdinal === null ? null : { threadId, ordinals: createLineOrdinals(nextOrdinal) };
  const encoder = createEntryEncoder({ meta: null, clock, before: entries, numbering });
  for (const entry of added) log.add(encoder.encode(entry));
  return {
    isKept: true,
    record: (entry) => log.add(encoder.encode(entry)),
    settled: () => log.settled(),
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}
