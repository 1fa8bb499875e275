import type { AnsweredPart } from "@unroll/accounting";
import {
  type Journal,
  type JournalEntry,
  type ResponseItem,
  type SentItem,
  type ToolCallItem,
  toToolOutput,
} from "@unroll/protocol";
import { compareEpochs, compareInput, type SentPart, takeSentPart } from "./answered-part.ts";
import { type CallLedger, createCallLedger } from "./call-ledger.ts";
import { encodeItem, type ItemIds } from "./encode-item.ts";
import { createEpoch, createEpochs, type Epoch, type Epochs } from "./epochs.ts";

/**
 * Everything that the model is sent and has said, in order. It only grows: what was sent once is sent again byte for
 * byte, so each request is a prefix of the next and the provider's cache holds (the prefix law). Only `openEpoch` begins
 * anew, and says why.
 */
export interface Transcript {
  /** Of this epoch. */
  readonly items: readonly ResponseItem[];
  /**
   * The items as JSON, a comma between each two: each encoded once, when it was appended. What is there stays as it is;
   * the view grows with the transcript, so take it anew for each request, and never write into it.
   */
  readonly encoded: Uint8Array;
  /** Calls without an output yet, in call order. Must be empty whenever a request is made. */
  readonly openCalls: readonly ToolCallItem[];
  /**
   * Adds items at the end, all or none. Throws `TranscriptError` when an output has no open call, or a call's id was
   * used before: either would make every later request invalid.
   */
  append(...items: readonly ResponseItem[]): void;
  /**
   * Begins anew with these items; those that the old epoch has (the same objects) are sent as the bytes they were. Throws
   * `TranscriptError` while a call is open, or where one of these would be. Returns how many items, from the first on,
   * are the same in both epochs. `cause`: one clause for people, why it was necessary.
   */
  openEpoch(items: readonly ResponseItem[], cause: string, options?: EpochOptions): number;
  /** Notes that what is there now was sent by a request that is answered now. */
  markAnswered(): void;
  /**
   * What became of what was there when that was noted last, by another process perhaps; null: it never was. `input`: encoded
   * items that are sent instead of these; null: these are.
   */
  compareWithAnswered(input: Uint8Array | null): AnsweredPart | null;
  /**
   * Returns to the epoch before this one, as the bytes it was, with what was appended since behind it. Throws
   * `TranscriptError` while a call is open. Returns how many items are shared, as `openEpoch` does; null where there is no
   * epoch before, the one now is final, or the one before is not at hand: only one is. `entries`: all of the journal, to go
   * further back by; of a thread that is another now they are of no use.
   */
  undoEpoch(entries?: readonly JournalEntry[]): number | null;
  /** Items as they would be sent, a comma between each two: those of this epoch (the same objects) as the bytes they are. */
  encode(items: readonly ResponseItem[]): Uint8Array;
  /** Whether a call of this id was ever in the thread, answered or not. */
  hasCall(callId: string): boolean;
  /** Gives every open call an output with this text, so that no call is left without one. */
  closeOpenCalls(text: string): void;
}

export interface EpochOptions {
  /** The epoch before cannot be returned to: the server would not take it. Absent: it can. */
  readonly isFinal?: boolean;
}

export interface TranscriptOptions {
  readonly ids: ItemIds;
  /** Gets every item and epoch, with the bytes. */
  readonly journal: Pick<Journal, "record">;
}

/** `entries`: of the journal of a thread that goes on; its items are sent as the bytes that they were sent by. */
export function createTranscript(options: TranscriptOptions, entries: readonly JournalEntry[] = []): Transcript {
  const { ids, journal } = options;
  const calls = createCallLedger();
  const epochs = createEpochs();
  let answered: SentPart | null = null;

  function markAnswered(): void {
    answered = takeSentPart(epochs.current);
  }

  function append(...items: readonly ResponseItem[]): void {
    calls.check(items);
    for (const item of items) {
      const sent = { item, bytes: encodeItem(item, ids) };
      epochs.current.add(sent);
      calls.enter(item);
      journal.record({ type: "item", item: sent });
    }
  }

  const toSent = (items: readonly ResponseItem[]): readonly SentItem[] => encodeItems(items, epochs.current, ids);
  for (const entry of entries) restore(entry, { epochs, calls, markAnswered });
  epochs.keepLast();

  return {
    get items() {
      return epochs.current.items;
    },
    append,
    openEpoch(items, cause, { isFinal = false } = {}) {
      calls.startAnew(items);
      const opened = { type: "epoch", cause, isFinal, items: toSent(items) } as const;
      journal.record(opened);
      const shared = epochs.begin(opened);
      epochs.keepLast();
      return shared;
    },
    undoEpoch(kept = []) {
      if (epochs.itemsBefore() === null) epochs.takeBefore(replayEpochs(kept));
      const items = epochs.itemsBefore();
      if (items === null) return null;
      calls.startAnew(items);
      journal.record({ type: "epoch.undone" });
      const shared = epochs.undo();
      epochs.keepLast();
      return shared;
    },
    encode: (items) => joinItems(toSent(items)),
    markAnswered,
    compareWithAnswered: (input) =>
      answered && (input === null ? compareEpochs(answered, epochs) : compareInput(answered, input)),
    hasCall: (callId) => calls.has(callId),
    get encoded() {
      return epochs.current.bytes();
    },
    get openCalls() {
      return calls.open;
    },
    closeOpenCalls: (text) => append(...calls.open.map((call) => toToolOutput(call, text))),
  };
}

function joinItems(items: readonly SentItem[]): Uint8Array {
  const joined = createEpoch();
  for (const sent of items) joined.add(sent);
  return joined.bytes();
}

interface Restored {
  readonly epochs: Epochs;
  readonly calls: CallLedger;
  readonly markAnswered: () => void;
}

function restore(entry: JournalEntry, { epochs, calls, markAnswered }: Restored): void {
  replay(entry, epochs);
  if (entry.type === "item") calls.enter(entry.item.item);
  if (entry.type === "epoch") entry.items.forEach(({ item }) => calls.enter(item));
  if (entry.type === "request" && !entry.request.isBeside) markAnswered();
}

function replayEpochs(entries: readonly JournalEntry[]): Epochs {
  const epochs = createEpochs();
  for (const entry of entries) replay(entry, epochs);
  return epochs;
}

function replay(entry: JournalEntry, epochs: Epochs): void {
  switch (entry.type) {
    case "item":
      return epochs.current.add(entry.item);
    case "epoch":
      return void epochs.begin(entry);
    case "epoch.undone":
      return void epochs.undo();
    case "call.ended":
    case "request":
    case "thread.opened":
    case "settings":
    case "note":
    case "turn.started":
    case "items.reserved":
    case "turn.ended":
  }
}

function encodeItems(items: readonly ResponseItem[], epoch: Epoch, ids: ItemIds): readonly SentItem[] {
  const places = new Map(epoch.items.map((item, index) => [item, index]));
  return items.map((item) => {
    const place = places.get(item);
    return { item, bytes: place === undefined ? encodeItem(item, ids) : epoch.bytesOf(place) };
  });
}
