import type { TurnOutcome } from "../event/turn-outcome.ts";
import type { JournalEntry } from "./journal.ts";

/** The outcome of the last turn of a saved thread; null: it runs, it was cut off with its process, or there was none. */
export function findLastOutcome(entries: readonly JournalEntry[]): TurnOutcome | null {
  const last = entries.findLast(({ type }) => type === "turn.started" || type === "turn.ended");
  if (last?.type !== "turn.ended") return null;
  const { outcome } = last;
  // a process that opened it later has ended the turn that was cut off, and may have ended before it began another one
  return outcome.type === "interrupted" && outcome.isCut === true ? null : outcome;
}
