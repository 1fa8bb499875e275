import type { Journal, JournalEntry, ResponseItem, SentItem, ToolCallItem } from "@unroll/protocol";
import { type AnsweredPart, toFirstDifference } from "./answered-part.ts";
import { createByteLog } from "./byte-log.ts";
import { createCallLedger, toOutput } from "./call-ledger.ts";
import { encodeItem, type ItemIds } from "./encode-item.ts";

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
  openEpoch(items: readonly ResponseItem[], cause: string): number;
  /** Notes that what is there now was sent by a request that is answered now. */
  markAnswered(): void;
  /**
   * What became of what was there when that was noted last, by another process perhaps; null: it never was. `input`: encoded
   * items that are sent instead of these; null: these are.
   */
  compareWithAnswered(input: Uint8Array | null): AnsweredPart | null;
  /** Whether a call of this id was ever in the thread, answered or not. */
  hasCall(callId: string): boolean;
  /** Gives every open call an output with this text, so that no call is left without one. */
  closeOpenCalls(text: string): void;
}

export interface TranscriptOptions {
  readonly ids: ItemIds;
  /** Gets every item and epoch, with the bytes. */
  readonly journal: Pick<Journal, "record">;
}

const comma = new TextEncoder().encode(",");

/** `entries`: of the journal of a thread that goes on; its items are sent as the bytes that they were sent by. */
export function createTranscript(options: TranscriptOptions, entries: readonly JournalEntry[] = []): Transcript {
  const { ids, journal } = options;
  const calls = createCallLedger();
  let epoch = createEpoch("");
  let answered: SentPart | null = null;

  function markAnswered(): void {
    answered = { epoch, items: epoch.items.length, bytes: epoch.bytes().length };
  }

  function add(sent: SentItem): void {
    epoch.add(sent);
    calls.enter(sent.item);
  }

  function append(...items: readonly ResponseItem[]): void {
    calls.check(items);
    for (const item of items) {
      const sent = { item, bytes: encodeItem(item, ids) };
      add(sent);
      journal.record({ type: "item", item: sent });
    }
  }

  for (const entry of entries) {
    if (entry.type === "epoch") epoch = createEpoch(entry.cause);
    if (entry.type === "request" && !entry.request.isBeside) markAnswered();
    for (const sent of listSentItems(entry)) add(sent);
  }

  return {
    get items() {
      return epoch.items;
    },
    append,
    openEpoch(items, cause) {
      calls.startAnew(items);
      const before = epoch;
      const kept = new Map(before.items.map((item, index) => [item, before.bytesOf(index)]));
      const sent = items.map((item) => ({ item, bytes: kept.get(item) ?? encodeItem(item, ids) }));
      epoch = createEpoch(cause);
      for (const each of sent) epoch.add(each);
      journal.record({ type: "epoch", cause, items: sent });
      return countShared(before, epoch);
    },
    markAnswered,
    compareWithAnswered: (input) =>
      answered && (input === null ? compareParts(answered, epoch) : compareBytes(answered, input)),
    hasCall: (callId) => calls.has(callId),
    get encoded() {
      return epoch.bytes();
    },
    get openCalls() {
      return calls.open;
    },
    closeOpenCalls: (text) => append(...calls.open.map((call) => toOutput(call, text))),
  };
}

function listSentItems(entry: JournalEntry): readonly SentItem[] {
  switch (entry.type) {
    case "item":
      return [entry.item];
    case "epoch":
      return entry.items;
    case "thread.opened":
    case "settings":
    case "note":
    case "request":
    case "turn.started":
    case "items.reserved":
    case "turn.ended":
      return [];
  }
}

/** The items from one beginning on. */
interface Epoch {
  /** Why it was opened; empty: it is the first. */
  readonly cause: string;
  readonly items: readonly ResponseItem[];
  add(sent: SentItem): void;
  bytes(): Uint8Array;
  bytesOf(index: number): Uint8Array;
  /** Where the first so many items end. */
  endOf(count: number): number;
}

function createEpoch(cause: string): Epoch {
  const items: ResponseItem[] = [];
  const ends: number[] = [];
  const log = createByteLog();
  return {
    cause,
    items,
    add({ item, bytes }) {
      if (items.length > 0) log.append(comma);
      log.append(bytes);
      items.push(item);
      ends.push(log.length);
    },
    bytes: () => log.view(),
    endOf: (count) => ends[count - 1] ?? 0,
    bytesOf: (index) => log.view(index === 0 ? 0 : (ends[index - 1] ?? 0) + comma.length, ends[index]),
  };
}

/** The beginning of an epoch. */
interface SentPart {
  readonly epoch: Epoch;
  readonly items: number;
  readonly bytes: number;
}

function compareParts({ epoch: before, items, bytes }: SentPart, after: Epoch): AnsweredPart {
  if (before === after) return { bytes, sharedBytes: bytes, firstDifference: null, cause: null };
  const { cause } = after;
  const shared = countShared(before, after, items);
  if (shared === items) return { bytes, sharedBytes: bytes, firstDifference: null, cause };
  return { bytes, sharedBytes: after.endOf(shared), firstDifference: toFirstDifference(after.items, shared), cause };
}

/** Another input: of its items nothing is known but the bytes. */
function compareBytes({ epoch, bytes }: SentPart, input: Uint8Array): AnsweredPart {
  const sent = epoch.bytes().subarray(0, bytes);
  const end = sent.findIndex((byte, index) => byte !== input[index]);
  const firstDifference = end === -1 ? null : { index: null, type: "input" };
  return { bytes, sharedBytes: end === -1 ? bytes : end, firstDifference, cause: null };
}

function countShared(before: Epoch, after: Epoch, among: number = before.items.length): number {
  const most = Math.min(among, after.items.length);
  let count = 0;
  while (count < most && areEqual(before.bytesOf(count), after.bytesOf(count))) count += 1;
  return count;
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
