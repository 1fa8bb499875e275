import type { JournalEntry, StoredJournal } from "@unroll/protocol";

/**
 * The journal of a thread that begins with these entries of another one. They go into it with its own first turn: of a copy in
 * which nothing was said nothing is kept, as of any new thread.
 */
export function beginWith(entries: readonly JournalEntry[], journal: StoredJournal): StoredJournal {
  let early: JournalEntry[] | null = [...entries];
  return {
    record(entry) {
      if (early === null) return journal.record(entry);
      early.push(entry);
      if (entry.type !== "turn.started") return;
      for (const held of early) journal.record(held);
      early = null;
    },
    settled: () => journal.settled(),
    [Symbol.asyncDispose]: () => journal[Symbol.asyncDispose](),
  };
}
