import type { ResentPart } from "@unroll/accounting";
import { createItemWriter, type ItemWriter, isInOrder, type UnsentItem } from "@unroll/item-form";
import {
  type ItemForm,
  type ItemMaker,
  type Journal,
  type JournalEntry,
  type ResponseItem,
  type SentItem,
  type ToolCallItem,
} from "@unroll/protocol";
import { compareEpochs, compareInput, type SentPart, takeSentPart } from "./resent-part.ts";
import { type CallLedger, createCallLedger } from "./call-ledger.ts";
import { createEpoch, createEpochs, type Epoch, type Epochs, type NoUndo } from "./epochs.ts";

/**
 * Everything that the model was sent and has written, in order. It only grows: sent items are sent
 * again byte for byte, so each request is a prefix of the next and the provider's cache works (the
 * prefix law). Only `openEpoch` starts over, and says why.
 */
export interface Transcript {
  /** The items of this epoch. */
  readonly items: readonly ResponseItem[];
  /**
   * The items as JSON, separated by commas, each encoded once, when it was appended. Existing bytes
   * never change. The view grows with the transcript, so read it again for each request, and never
   * write into it.
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
   * Starts a new epoch with these items. Items of the old epoch (the same objects) keep their
   * bytes, unless the items before them or the form of all have changed. Throws `TranscriptError`
   * while a call is open, or if one of these would be. Returns how many items, from the first on,
   * are the same in both epochs. `cause`: one clause for users, why it was necessary.
   */
  openEpoch(items: readonly ResponseItem[], cause: string, options?: EpochOptions): number;
  /** Notes that the present items are in a request: from now on they never change. */
  seal(): void;
  /** Notes that what is there now was sent by a request that is answered now. */
  markAnswered(): void;
  /**
   * Compares with the items when they were last noted, perhaps by another process; null: they never
   * were. `input`: encoded items that are sent instead; null: the present ones.
   */
  compareWithAnswered(input: Uint8Array | null): ResentPart | null;
  /**
   * Returns to the epoch before this one, as the bytes it was, with what was appended since behind it. Throws
   * `TranscriptError` while a call is open. Returns how many items are shared, as `openEpoch` does; null where there is no
   * epoch before, the one now is final, or the one before is not at hand: only one is. `entries`: all of the journal, to go
   * further back by; of a thread that is another now they are of no use.
   */
  undoEpoch(entries?: readonly JournalEntry[]): number | null;
  /** Why `undoEpoch` returned null. */
  readonly noUndo: NoUndo;
  /** As `openEpoch`, with items as they were sent before, byte for byte. The epoch before cannot be returned to: its turns were removed. */
  returnTo(items: readonly SentItem[], cause: string): number;
  /** Items as they would be sent, a comma between each two: those that this epoch begins with (the same objects) as the bytes they are. */
  encode(items: readonly ResponseItem[]): Uint8Array;
  /** Whether a call of this id was ever in the thread, answered or not. */
  hasCall(callId: string): boolean;
}

export interface EpochOptions {
  /** The epoch before cannot be returned to: the server would not take it. Absent: it can. */
  readonly isFinal?: boolean;
  /** The form in which items are sent from now on. Absent: unchanged. */
  readonly form?: ItemForm;
  /** The model that made items whose maker is unknown. Absent: the server that they go to. */
  readonly maker?: ItemMaker;
}

export interface TranscriptOptions {
  /** The form in which items are sent, until an epoch opens in another one. */
  readonly form: ItemForm;
  /** Gets every item and epoch, with the bytes. */
  readonly journal: Pick<Journal, "record">;
}

/** `entries`: the journal of a resumed thread, whose items keep their bytes. */
export function createTranscript(options: TranscriptOptions, entries: readonly JournalEntry[] = []): Transcript {
  const { journal } = options;
  let { form } = options;
  const calls = createCallLedger();
  const epochs = createEpochs();
  let answered: SentPart | null = null;

  function markAnswered(): void {
    answered = takeSentPart(epochs.current);
  }

  function append(...items: readonly ResponseItem[]): void {
    calls.check(items);
    for (const sent of writer.write(items.map(toUnsent))) {
      epochs.current.add(sent);
      calls.enter(sent.item);
      journal.record({ type: "item", item: sent });
    }
  }

  for (const entry of entries) restore(entry, { epochs, calls, markAnswered });
  epochs.keepLast();
  let writer = createItemWriter(form, entries.length === 0 ? null : () => listSent(epochs.current));

  function begin(opened: Extract<JournalEntry, { readonly type: "epoch" }>): number {
    journal.record(opened);
    const shared = epochs.begin(opened);
    epochs.keepLast();
    return shared;
  }

  return {
    get items() {
      return epochs.current.items;
    },
    append,
    openEpoch(items, cause, { isFinal = false, form: newForm, maker } = {}) {
      calls.startAnew(items);
      const written = writeItems(items, { epoch: epochs.current, form: newForm ?? form, formBefore: form, maker });
      form = newForm ?? form;
      ({ writer } = written);
      return begin({ type: "epoch", cause, isFinal, items: written.items });
    },
    returnTo(items, cause) {
      calls.startAnew(items.map(({ item }) => item));
      writer = createItemWriter(form, () => items);
      return begin({ type: "epoch", cause, isFinal: true, items });
    },
    undoEpoch(kept = []) {
      if (epochs.findUndoable() === null) epochs.takeBefore(replayEpochs(kept));
      const undoable = epochs.findUndoable();
      if (undoable === null) return null;
      calls.startAnew([...undoable.epoch.items, ...undoable.added]);
      writer = createItemWriter(form, () => listSent(undoable.epoch));
      // behind other items they may be other bytes
      const added = isInOrder(form) ? writer.write(undoable.added.map(toUnsent)) : undefined;
      journal.record({ type: "epoch.undone", ...(added && { added }) });
      const shared = epochs.undo(added);
      epochs.keepLast();
      return shared;
    },
    get noUndo() {
      return epochs.noUndo;
    },
    encode: (items) => joinItems(writeItems(items, { epoch: epochs.current, form, formBefore: form }).items),
    seal: () => writer.seal(),
    markAnswered,
    compareWithAnswered: (input) =>
      answered && (input === null ? compareEpochs(answered, epochs) : compareInput(answered, input)),
    hasCall: (callId) => calls.has(callId),
    get encoded() {
      return epochs.current.bytes();
    },
    get openCalls() {
      return calls.listOpen();
    },
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
      return void epochs.undo(entry.added);
    case "agent.started":
    case "item.ended":
    case "told":
    case "call.asked":
    case "call.started":
    case "thread.rewound":
    case "request":
    case "usage.counted":
    case "thread.opened":
    case "settings":
    case "note":
    case "turn.started":
    case "items.reserved":
    case "turn.ended":
  }
}

function listSent(epoch: Epoch): readonly SentItem[] {
  return epoch.items.map((_, index) => epoch.sentOf(index));
}

function toUnsent(item: ResponseItem): UnsentItem {
  return { item, maker: null, bytes: null };
}

interface Rewriting {
  /** The present epoch. */
  readonly epoch: Epoch;
  readonly form: ItemForm;
  /** The form of the present epoch. */
  readonly formBefore: ItemForm;
  readonly maker?: ItemMaker | undefined;
}

/** Writes items for a new epoch, or a request beside it; returns the writer that continues. */
function writeItems(
  items: readonly ResponseItem[],
  { epoch, form, formBefore, maker: others }: Rewriting,
): { readonly items: readonly SentItem[]; readonly writer: ItemWriter } {
  const same = form === formBefore ? countSame(items, epoch.items) : 0;
  const kept = epoch.items.slice(0, same).map((_, index) => epoch.sentOf(index));
  const writer = createItemWriter(form, form === formBefore ? () => kept : null);
  const places = new Map(epoch.items.map((item, index) => [item, index]));
  const unsent = items.slice(same).map((item): UnsentItem => {
    const place = places.get(item);
    const sent = place === undefined ? null : epoch.sentOf(place);
    const maker = sent?.maker ?? (sent === null ? null : (others ?? null));
    const isOther = others !== undefined && others.provider !== form.server.provider;
    const isUsable = sent?.lowered === undefined && form.ids === formBefore.ids && !isOther;
    return { item, maker, bytes: isUsable ? (sent?.bytes ?? null) : null };
  });
  return { items: [...kept, ...writer.write(unsent)], writer };
}

function countSame(some: readonly ResponseItem[], others: readonly ResponseItem[]): number {
  const end = some.findIndex((item, index) => item !== others[index]);
  return end === -1 ? some.length : end;
}
