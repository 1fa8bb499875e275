import type { GitFacts } from "@unroll/files";
import type { Clock } from "@unroll/flow";
import type { JournalEntry, StoredJournal, ThreadMeta } from "@unroll/protocol";
import { type AppendLogOptions, createAppendLog } from "../file/append-log.ts";
import { createEntryEncoder, type EntryEncoder } from "../line/encode-entry.ts";

export interface LateJournalOptions extends Omit<AppendLogOptions, "length"> {
  readonly meta: ThreadMeta;
  /** Written in front of all that is recorded. */
  readonly first: readonly JournalEntry[];
  /** Asked when the file is created. Null: the folder is in no repository. */
  readonly readGit: () => GitFacts | null;
  readonly clock: Pick<Clock, "now">;
  /** Let go of when all is written. */
  readonly held: AsyncDisposable;
  /** As of `StoredJournal`. */
  readonly lost?: AbortSignal;
}

/**
 * Creates the file when the first turn or sub-agent starts: a thread without any is not saved. Everything recorded until
 * then is the first write, so the thread exists with all of it or not at all.
 */
export function createLateJournal(options: LateJournalOptions): StoredJournal {
  const { path, open, meta, first, readGit, clock, held, lost } = options;
  const log = createAppendLog({ path, open, length: 0 });
  const early = [...first];
  let encoder: EntryEncoder | null = null;

  function begin(): void {
    const forkedTurns = first.filter(({ type }) => type === "turn.started").length;
    const kept = { ...meta, git: readGit(), forkedTurns };
    encoder = createEntryEncoder({ meta: kept, clock, before: [], numbering: null });
    for (const entry of early.splice(0)) log.add(encoder.encode(entry));
  }

  return {
    ...(lost && { lost }),
    get isKept() {
      return encoder !== null;
    },
    record(entry) {
      if (encoder !== null) return log.add(encoder.encode(entry));
      early.push(entry);
      if (entry.type === "turn.started" || entry.type === "agent.started") begin();
    },
    async settled() {
      if (encoder !== null) await log.settled();
    },
    async [Symbol.asyncDispose]() {
      // in this order: what is held is let go when all is written
      await using _ = held;
      await log[Symbol.asyncDispose]();
    },
  };
}
