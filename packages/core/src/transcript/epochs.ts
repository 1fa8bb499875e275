import type { JournalEntry, ResponseItem, SentItem } from "@unroll/protocol";
import { createByteLog } from "./byte-log.ts";

/** The items from one beginning on. */
export interface Epoch {
  readonly items: readonly ResponseItem[];
  add(sent: SentItem): void;
  bytes(): Uint8Array;
  /** The item's bytes among the others; without its end if the next item continues it. */
  bytesOf(index: number): Uint8Array;
  /** As it was added. */
  sentOf(index: number): SentItem;
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
  /** The epoch that `undo` returns to, and the items it appends; null: there is nothing to undo. */
  findUndoable(): { readonly epoch: Epoch; readonly added: readonly ResponseItem[] } | null;
  /** Why nothing can be undone, if nothing can. */
  readonly noUndo: NoUndo;
  /** The epoch before, with what was added to this one behind it, as these bytes where they are others there. Returns what `begin` does. */
  undo(added?: readonly SentItem[]): number;
  /** Lets go of all but the current one and the one before it: a long thread has many, and they are as large as a window. */
  keepLast(): void;
  /** Takes the earlier epochs from another reading of the same thread; none if it is sent as other bytes. */
  takeBefore(read: Epochs): void;
  /** The last at the end. */
  readonly before: readonly EpochBefore[];
}

/** Why no epoch can be returned to. */
export type NoUndo =
  /** There was none before. `forgotten`: the one before was let go, and no journal has it. */
  | { readonly type: "first" | "undone" | "forgotten" }
  /** The server would not accept the one before. `cause`: why the current one was opened. */
  | { readonly type: "final"; readonly cause: string };

interface EpochBefore {
  readonly epoch: Epoch;
  /** How many items the one behind it began with. */
  readonly length: number;
}

export function createEpochs(): Epochs {
  let isForgotten = false;

  const epochs: { -readonly [Key in keyof Epochs]: Epochs[Key] } = {
    current: createEpoch(),
    cause: "",
    before: [],
    noUndo: { type: "first" },
    begin({ items, cause, isFinal }) {
      const last = epochs.current;
      epochs.cause = cause;
      epochs.noUndo = isFinal ? { type: "final", cause } : { type: "forgotten" };
      isForgotten &&= !isFinal;
      // A resumed thread may have left out its earlier part.
      const isAtHand = !isFinal && last.items.length > 0;
      epochs.before = isAtHand ? [...epochs.before, { epoch: last, length: items.length }] : [];
      epochs.current = createEpoch();
      for (const each of items) epochs.current.add(each);
      return countShared(last, epochs.current);
    },
    findUndoable() {
      const returned = epochs.before.at(-1);
      return returned === undefined
        ? null
        : { epoch: returned.epoch, added: epochs.current.items.slice(returned.length) };
    },
    undo(added) {
      const returned = epochs.before.at(-1);
      if (returned === undefined) return 0;
      const [last, { epoch, length }] = [epochs.current, returned];
      const behind = added ?? last.items.slice(length).map((_, index) => last.sentOf(length + index));
      for (const sent of behind) epoch.add(sent);
      epochs.current = epoch;
      epochs.before = epochs.before.slice(0, -1);
      epochs.cause = "the epoch before was returned to";
      epochs.noUndo = { type: isForgotten ? "forgotten" : "undone" };
      return countShared(last, epoch);
    },
    keepLast() {
      isForgotten ||= epochs.before.length > 1;
      epochs.before = epochs.before.slice(-1);
    },
    takeBefore({ current, before, noUndo }) {
      if (!areEqual(current.bytes(), epochs.current.bytes())) return;
      [epochs.before, epochs.noUndo] = [before, noUndo];
      isForgotten = false;
    },
  };
  return epochs;
}

const comma = new TextEncoder().encode(",");
/** The end of a message; the next item overwrites it if it continues the message. */
const messageEnd = new TextEncoder().encode("]}");

/** Where the bytes of an item stand, and what else is known of how it is sent. */
interface SentPlace extends Pick<SentItem, "lowered" | "maker"> {
  readonly start: number;
  end: number;
}

export function createEpoch(): Epoch {
  const items: ResponseItem[] = [];
  const places: SentPlace[] = [];
  const log = createByteLog();
  const slice = (place: SentPlace | undefined): Uint8Array => log.view(place?.start ?? 0, place?.end ?? 0);

  /** The previous message ends where the one that continues it begins. */
  function openMessage(): void {
    log.takeBack(messageEnd.length);
    const last = places.findLast(({ start, end }) => end > start);
    if (last !== undefined) last.end = log.length;
  }

  return {
    items,
    add({ item, bytes, lowered, maker }) {
      if (lowered?.joins === true) openMessage();
      else if (log.length > 0 && bytes.length > 0) log.append(comma);
      const start = log.length;
      log.append(bytes);
      items.push(item);
      places.push({ start, end: log.length, ...(lowered && { lowered }), ...(maker && { maker }) });
    },
    bytes: () => log.view(),
    endOf: (count) => places[count - 1]?.end ?? 0,
    bytesOf: (index) => slice(places[index]),
    sentOf(index) {
      const [item, place] = [items[index], places[index]];
      if (item === undefined || place === undefined) throw new RangeError(`An epoch has no item ${index}.`);
      const { start, end, ...how } = place;
      const bytes = slice(place);
      return { item, bytes: end > start && isContinued(places, index) ? join(bytes, messageEnd) : bytes, ...how };
    },
  };
}

function isContinued(places: readonly SentPlace[], index: number): boolean {
  for (let at = index + 1; at < places.length; at += 1) {
    const { start, end, lowered } = places[at] ?? { start: 0, end: 0 };
    if (end > start) return lowered?.joins === true;
  }
  return false;
}

function join(some: Uint8Array, more: Uint8Array): Uint8Array {
  const joined = new Uint8Array(some.length + more.length);
  joined.set(some);
  joined.set(more, some.length);
  return joined;
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
