import { checkShape } from "@unroll/text";
import type { Clock } from "@unroll/flow";
import { renderInterruption } from "@unroll/prompt";
import { wholeForm } from "@unroll/item-form";
import {
  isToolOutput,
  type ItemForm,
  type Journal,
  type JournalEntry,
  noTokenUsage,
  type ResponseItem,
  type SentItem,
  type ThreadNotes,
  type ThreadNoteValues,
  type TokenUsage,
  type ToolCallItem,
  type TurnOutcome,
} from "@unroll/protocol";
import { findLastResponse, unmeasured } from "./find-last-response.ts";
import { createOpenCalls } from "./open-calls.ts";
import { createRequestLedger, type RequestLedger } from "./request-ledger.ts";
import type { ResponseSpan } from "../port/step-guard.ts";
import { createTranscript, type EpochOptions, type Transcript } from "../transcript/transcript.ts";

/** The whole state of a thread. Its journal records it, so that another process can resume it. */
export interface ThreadState {
  readonly transcript: Transcript;
  readonly notes: ThreadNotes;
  readonly journal: Journal;
  /** The usage of its requests, and the parts that they share. */
  readonly ledger: RequestLedger;
  /** Messages sent while a turn ran, for the next request. The notes keep them while they wait. */
  readonly inbox: Inbox;
  /**
   * The usage of the last response, even of another process; null: there is none in this epoch yet,
   * or its server did not say.
   */
  readonly lastUsage: TokenUsage | null;
  readonly lastSpan: ResponseSpan;
  /** A response is recorded: its request held so many items. */
  measure(usage: TokenUsage | null, sent: number): void;
  /** As of `Transcript`; what was measured before is of no use any more. */
  openEpoch(items: readonly ResponseItem[], cause: string, options?: EpochOptions): number;
  /** As of `Transcript`. */
  returnTo(items: readonly SentItem[], cause: string): number;
  /** As of `Transcript`. */
  undoEpoch(entries?: readonly JournalEntry[]): number | null;
  /**
   * Calls that wait for the user's answer, since another process ended or the user answers later; nothing of them has run. While a turn
   * runs, also those that the user is being asked about.
   */
  readonly waitingCalls: readonly ToolCallItem[];
  /** Ends the calls without an output: those that wait were not run, the others may have been. */
  closeCalls(): void;
  /** As `closeCalls`, with these outputs for their calls. All outputs are appended in call order, then the other items. */
  answerCalls(items: readonly ResponseItem[]): void;
  /** Keeps outputs for `answerCalls`, because another call of the response still waits. Other items go into the inbox. */
  holdOutputs(items: readonly ResponseItem[]): void;
  /** The next free thread item id, `item_N`, N from 0 in a thread. */
  nextItemId(): string;
  beginTurn(turnId: string): void;
  endTurn(turnId: string, outcome: TurnOutcome): void;
  /** As `Journal.settled`, of all that the state is by now. */
  settle(): Promise<void>;
}

/** Items that wait for the next request. */
interface Inbox {
  readonly items: readonly ResponseItem[];
  put(items: readonly ResponseItem[]): void;
  /** Puts back what was taken out, in front. */
  putFirst(items: readonly ResponseItem[]): void;
  /** Takes out what waits, in order of arrival: the first `most`, absent: everything. Empty when nothing does. */
  drain(most?: number): readonly ResponseItem[];
}

/** Whether a thread is a new one, and where it is written down. */
export interface ThreadStateOptions {
  /** The form in which items are sent. Absent: unchanged, without ids. */
  readonly form?: ItemForm;
  /** Absent: the thread lasts as long as this process. */
  readonly journal?: Journal;
  /** Absent: nobody knows how long ago a request was. */
  readonly clock?: Pick<Clock, "now">;
  /**
   * The journal of a resumed thread. A turn that was cut off is ended: its open calls get an
   * output, and the model is informed. Absent: a new thread.
   */
  readonly entries?: readonly JournalEntry[];
  /** Outputs of calls of a turn that was cut off, by the call's id, where more is known of them. Absent: none is. */
  readonly cutOutputs?: ReadonlyMap<string, string>;
}

const noNotes: ThreadNoteValues = {
  name: null,
  told: null,
  toldFiles: null,
  spent: null,
  plan: null,
  approved: [],
  mcpListed: null,
  mcpTold: null,
  waiting: [],
  held: [],
  parent: null,
  agentsTold: [],
  ofProgram: {},
  notCompacted: null,
};
const noJournal: Journal = { record: () => {}, settled: () => Promise.resolve() };
/** How many item ids are reserved at a time, so that few entries record them. */
const reserve = 1_000;

/** Creates the state of a thread: empty, or from its journal. Every change goes to the journal. */
export function createThreadState(options: ThreadStateOptions = {}): ThreadState {
  checkShape("createThreadState", options, { "entries?": "a list", "journal?": "an object" });
  const { form = wholeForm, entries = [], clock = null, cutOutputs = new Map<string, string>() } = options;
  const journal = watchJournal(options.journal ?? noJournal, (entry) => {
    ledger.read(entry);
    calls.read(entry);
  });
  const transcript = createTranscript({ form, journal }, entries);
  const ledger = createRequestLedger({ transcript, journal, clock });
  const notes = createNotes(journal, entries);
  const calls = createOpenCalls({ transcript, notes, cutOutputs });
  for (const entry of entries) {
    ledger.read(entry);
    calls.read(entry);
  }
  const waiting = listWaiting(notes.get("waiting"), entries);
  let nextItem = findNextItem(entries);
  let reserved = nextItem;
  let last = findLastResponse(entries);
  const state: ThreadState = {
    transcript,
    notes,
    journal,
    ledger,
    inbox: {
      items: waiting,
      put(items) {
        waiting.push(...items);
        notes.set("waiting", [...waiting]);
      },
      putFirst: (items) => void waiting.unshift(...items),
      drain: (most = waiting.length) => waiting.splice(0, most),
    },
    get lastUsage() {
      return last.usage;
    },
    get lastSpan() {
      return last.span;
    },
    measure: (usage, sent) =>
      void (last = usage === null ? unmeasured : { usage, span: { sent, held: transcript.items.length } }),
    openEpoch(items, cause, epochOptions) {
      last = unmeasured;
      return transcript.openEpoch(items, cause, epochOptions);
    },
    returnTo(items, cause) {
      last = unmeasured;
      return transcript.returnTo(items, cause);
    },
    undoEpoch(kept) {
      last = unmeasured;
      return transcript.undoEpoch(kept);
    },
    get waitingCalls() {
      return calls.waiting;
    },
    closeCalls: () => calls.answer([]),
    answerCalls: (items) => calls.answer(items),
    holdOutputs(items) {
      calls.hold(items);
      state.inbox.putFirst(items.filter((item) => !isToolOutput(item)));
    },
    nextItemId: () => `item_${nextItem++}`,
    beginTurn: (turnId) => journal.record({ type: "turn.started", turnId }),
    endTurn: (turnId, outcome) => journal.record({ type: "turn.ended", turnId, outcome, nextItem }),
    async settle() {
      // what was taken out is in the transcript by now
      if (notes.get("waiting").length !== waiting.length) notes.set("waiting", [...waiting]);
      if (nextItem + reserve / 2 > reserved) {
        reserved = nextItem + reserve;
        journal.record({ type: "items.reserved", nextItem: reserved });
      }
      await journal.settled();
    },
  };
  // Nobody knows how far the others came, unless `cutOutputs` has it. They get their outputs together, in call order.
  if (state.waitingCalls.length === 0) state.closeCalls();
  const cut = entries.findLast(({ type }) => ends.includes(type));
  if (cut?.type === "turn.started") endCutTurn(state, cut.turnId);
  return state;
}

function watchJournal(journal: Journal, watch: (entry: JournalEntry) => void): Journal {
  return {
    record(entry) {
      watch(entry);
      journal.record(entry);
    },
    settled: () => journal.settled(),
  };
}

/** A process ended in the middle of the turn. */
function endCutTurn(state: ThreadState, turnId: string): void {
  const { transcript, notes } = state;
  if (state.waitingCalls.length === 0) transcript.append(renderInterruption());
  const plan = notes.get("plan");
  if (plan !== null) notes.set("plan", { ...plan, itemId: null });
  state.endTurn(turnId, { type: "interrupted", usage: noTokenUsage, isCut: true });
}

/**
 * Items that waited when that was last noted and are still not in the transcript: a process may
 * have ended in between.
 */
function listWaiting(noted: readonly ResponseItem[], entries: readonly JournalEntry[]): ResponseItem[] {
  if (noted.length === 0) return [];
  const texts = noted.map((item) => JSON.stringify(item));
  let taken = 0;
  const at = entries.findLastIndex((each) => each.type === "note" && each.key === "waiting");
  for (const entry of entries.slice(at + 1))
    if (entry.type === "item" && JSON.stringify(entry.item.item) === texts[taken]) taken += 1;
  return noted.slice(taken);
}

function findNextItem(entries: readonly JournalEntry[]): number {
  const last = entries.findLast(({ type }) => ends.includes(type));
  const ended = entries.findLast((entry) => entry.type === "turn.ended" || entry.type === "items.reserved");
  if (last?.type !== "turn.started") return ended?.nextItem ?? 0;
  // a turn that was cut off may have used what its process reserved in an earlier one
  const reserved = entries.findLast((entry) => entry.type === "items.reserved");
  return Math.max(ended?.nextItem ?? 0, reserved?.nextItem ?? 0);
}

const ends: readonly JournalEntry["type"][] = ["turn.started", "turn.ended"];

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
