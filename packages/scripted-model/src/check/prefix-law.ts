import { isJsonObject, parseJson } from "../json.ts";
import { type Range, type SlicedBody, sliceText } from "../request/slice-body.ts";

/** How much of what the model sees a request shares with the one before it. */
export interface PrefixComparison {
  /** Bytes of model, instructions, tools and input items. */
  readonly promptBytes: number;
  /** Of these, from the start, how many are the previous request's too. */
  readonly sharedBytes: number;
  /** Where the previous request is not a prefix of this one: what differs, and how. */
  readonly breach?: string;
}

const headFields = ["model", "instructions", "tools"];

/** Compares two bodies by their bytes. `previous` null: nothing is shared, and nothing broken. */
export function comparePrefix(previous: SlicedBody | null, next: SlicedBody): PrefixComparison {
  const headBytes = headFields.reduce((sum, key) => sum + lengthOf(next.fields.get(key)), 0);
  const promptBytes = headBytes + bytesOf(next.items);
  if (!previous) return { promptBytes, sharedBytes: 0 };
  const breach = headFields.map((key) => fieldBreach(key, previous, next)).find((found) => found !== null);
  if (breach) return { promptBytes, sharedBytes: 0, breach };
  const shared = countSharedItems(previous, next);
  const sharedBytes = headBytes + bytesOf(next.items.slice(0, shared));
  if (shared === previous.items.length) return { promptBytes, sharedBytes };
  return { promptBytes, sharedBytes, breach: itemBreach(shared, previous, next) };
}

function bytesOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, range) => sum + lengthOf(range), 0);
}

function lengthOf(range: Range | undefined): number {
  return range ? range.end - range.start : 0;
}

function fieldBreach(key: string, previous: SlicedBody, next: SlicedBody): string | null {
  const [was, is] = [textOf(previous, previous.fields.get(key)), textOf(next, next.fields.get(key))];
  return was === is ? null : `${key} differs: ${describeDifference(was, is)}`;
}

function countSharedItems(previous: SlicedBody, next: SlicedBody): number {
  const differing = previous.items.findIndex((range, index) => {
    if (index < next.resumed) return false;
    const other = next.items[index];
    return !other || !slice(previous, range).equals(slice(next, other));
  });
  return differing === -1 ? previous.items.length : differing;
}

function slice({ bytes }: SlicedBody, { start, end }: Range): Buffer {
  return bytes.subarray(start, end);
}

function itemBreach(index: number, previous: SlicedBody, next: SlicedBody): string {
  const was = textOf(previous, previous.items[index]);
  const place = `input[${index}] (${typeOf(was)})`;
  if (index >= next.items.length) {
    return `${place} is gone: there were ${previous.items.length} items, now there are ${next.items.length}`;
  }
  return `${place} differs: ${describeDifference(was, textOf(next, next.items[index]))}`;
}

function textOf({ bytes }: SlicedBody, range: Range | undefined): string {
  return range ? sliceText(bytes, range) : "";
}

function typeOf(itemText: string): string {
  const item = parseJson(itemText);
  return isJsonObject(item) && typeof item["type"] === "string" ? item["type"] : "item";
}

function describeDifference(was: string, is: string): string {
  let at = 0;
  while (at < was.length && was[at] === is[at]) at += 1;
  return `it was ${excerpt(was, at)} and is ${excerpt(is, at)}`;
}

/** The text around an offset. */
function excerpt(text: string, at: number): string {
  if (text === "") return "not there";
  const [start, end] = [Math.max(0, at - 40), at + 60];
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
