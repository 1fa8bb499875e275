import type { Journal, JournalEntry, ResponseItem, ThreadNotes, ThreadNoteValues, TurnOutcome } from "@unroll/protocol";
import type { ItemIds } from "../transcript/encode-item.ts";
import { createTranscript, type Transcript } from "../transcript/transcript.ts";

/** All that a thread knows of itself. Written through its journal, from which another process can restore it. */
export interface ThreadState {
  readonly transcript: Transcript;
  readonly notes: ThreadNotes;
  readonly journal: Journal;
  /** What people said while a turn ran, and what came beside it: for the next request. */
  readonly inbox: Inbox;
  /** How many turns were begun. */
  readonly turns: number;
  /** The next free thread item id, `item_N`, N from 0 in a thread. */
  nextItemId(): string;
  beginTurn(turnId: string): void;
  endTurn(turnId: string, outcome: TurnOutcome): void;
}

export interface Inbox {
  put(items: readonly ResponseItem[]): void;
  /** Takes out everything that waits, in order of arrival; empty when nothing does. */
  drain(): readonly ResponseItem[];
}

export interface ThreadStateOptions {
  /** Default `dropped`. */
  readonly ids?: ItemIds;
  /** Absent: the thread lasts as long as this process. */
  readonly journal?: Journal;
  /** What the journal of a thread holds that goes on here. Absent: it is a new one. */
  readonly entries?: readonly JournalEntry[];
}

const noNotes: ThreadNoteValues = { told: null, plan: null, approved: [], mcpListed: null, mcpTold: [] };
const noJournal: Journal = { record: () => {}, settled: () => Promise.resolve() };

export function createThreadState(options: ThreadStateOptions = {}): ThreadState {
  const { ids = "dropped", journal = noJournal, entries = [] } = options;
  const transcript = createTranscript({ ids, journal }, entries);
  const waiting: ResponseItem[] = [];
  let nextItem = entries.findLast((entry) => entry.type === "turn.ended")?.nextItem ?? 0;
  let turns = entries.filter(({ type }) => type === "turn.started").length;
  return {
    transcript,
    notes: createNotes(journal, entries),
    journal,
    inbox: { put: (items) => void waiting.push(...items), drain: () => waiting.splice(0) },
    get turns() {
      return turns;
    },
    nextItemId: () => `item_${nextItem++}`,
    beginTurn(turnId) {
      turns += 1;
      journal.record({ type: "turn.started", turnId });
    },
    endTurn: (turnId, outcome) => journal.record({ type: "turn.ended", turnId, outcome, nextItem }),
  };
}

function createNotes(journal: Journal, entries: readonly JournalEntry[]): ThreadNotes {
  let values = noNotes;
  for (const entry of entries) if (entry.type === "note") values = { ...values, [entry.key]: entry.value };
  return {
    get: (key) => values[key],
    set(key, value) {
      values = { ...values, [key]: value };
      journal.record({ type: "note", key, value });
    },
  };
}
