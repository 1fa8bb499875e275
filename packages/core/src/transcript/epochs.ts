import type { JournalEntry, ResponseItem, SentItem } from "@unroll/protocol";
import { createByteLog } from "./byte-log.ts";

/** The items from one beginning on. */
export interface Epoch {
  readonly items: readonly ResponseItem[];
  add(sent: SentItem): void;
  bytes(): Uint8Array;
  bytesOf(index: number): Uint8Array;
  /** Where the first so many items end. */
  endOf(count: number): number;
}

type OpenedEpoch = Extract<JournalEntry, { readonly type: "epoch" }>;

/** The epoch that is sent, and those before it. */
export interface Epochs {
  readonly current: Epoch;
  /** Why the current one is; empty: it is the first. */
  readonly cause: string;
  /** Returns how many items, from the first on, are those of the epoch before. */
  begin(opened: Pick<OpenedEpoch, "items" | "cause" | "isFinal">): number;
  /** What `undo` makes the current items; null: it can do nothing. */
  itemsBefore(): readonly ResponseItem[] | null;
  /** The epoch before, with what was added to this one behind it. Returns what `begin` does. */
  undo(): number;
  /** Lets go of all but the current one and the one before it: a long thread has many, and they are as large as a window. */
  keepLast(): void;
  /** Takes those before from the same thread as it was read anew; of one that is sent as other bytes, none. */
  takeBefore(read: Epochs): void;
  /** The last at the end. */
  readonly before: readonly EpochBefore[];
}

interface EpochBefore {
  readonly epoch: Epoch;
  /** How many items the one behind it began with. */
  readonly length: number;
}

export function createEpochs(): Epochs {
  let current = createEpoch();
  let reason = "";
  let before: readonly EpochBefore[] = [];

  return {
    get current() {
      return current;
    },
    get cause() {
      return reason;
    },
    begin({ items, cause, isFinal }) {
      const last = current;
      reason = cause;
      // a thread that goes on may have left out what came before
      const isAtHand = !isFinal && last.items.length > 0;
      before = isAtHand ? [...before, { epoch: last, length: items.length }] : [];
      current = createEpoch();
      for (const each of items) current.add(each);
      return countShared(last, current);
    },
    itemsBefore() {
      const returned = before.at(-1);
      return returned === undefined ? null : [...returned.epoch.items, ...current.items.slice(returned.length)];
    },
    undo() {
      const returned = before.at(-1);
      if (returned === undefined) return 0;
      const [last, { epoch, length }] = [current, returned];
      for (const [index, item] of last.items.entries())
        if (index >= length) epoch.add({ item, bytes: last.bytesOf(index) });
      current = epoch;
      before = before.slice(0, -1);
      reason = "the epoch before was returned to";
      return countShared(last, current);
    },
    keepLast() {
      before = before.slice(-1);
    },
    takeBefore(read) {
      if (areEqual(read.current.bytes(), current.bytes())) before = read.before;
    },
    get before() {
      return before;
    },
  };
}

const comma = new TextEncoder().encode(",");

export function createEpoch(): Epoch {
  const items: ResponseItem[] = [];
  const ends: number[] = [];
  const log = createByteLog();
  return {
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

/** How many items, from the first on and of the first so many, are the same bytes. */
export function countShared(before: Epoch, after: Epoch, among: number = before.items.length): number {
  const most = Math.min(among, after.items.length);
  let count = 0;
  while (count < most && areEqual(before.bytesOf(count), after.bytesOf(count))) count += 1;
  return count;
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}
