import type { PagerSource, StyledLine } from "@unroll/screen";
import type { Entry } from "../cell/entry.ts";
import { isNote, renderEntry } from "../cell/render-entry.ts";
import { plainHighlighter } from "../code/plain-highlighter.ts";
import { emptyLine } from "../line/plain-line.ts";
import type { CellOptions } from "../cell-options.ts";

/** Where the lines of each entry stand when nothing is folded. Counts are kept, lines are not: they are drawn when they are looked at. */
export interface EntryIndex {
  /** Whether the lines of all entries are counted. */
  readonly isCounted: boolean;
  /** Counts the lines of the next entries, at most `most` of them. */
  count(most: number, options: CellOptions): void;
  /** All lines, as the entries are now. Counts what was not counted. */
  open(options: CellOptions): PagerSource;
}

/** Entries whose lines are kept while a pager is open: more than a screen shows. */
const keptEntries = 32;

/** `entries` may grow. Each is shown in the width in which it was counted, so that a resize moves nothing. */
export function createEntryIndex(entries: readonly Entry[]): EntryIndex {
  /** Behind the last line of each, and in how many columns it was counted. */
  const ends: { readonly line: number; readonly columns: number }[] = [];

  function render(at: number, options: CellOptions): readonly StyledLine[] {
    const entry = entries[at];
    if (entry === undefined) return [];
    const lines = renderEntry(entry, { ...options, columns: ends[at]?.columns ?? options.columns, detail: "whole" });
    const before = entries[at - 1];
    const hasGap = before !== undefined && lines.length > 0 && !(isNote(before) && isNote(entry));
    return hasGap ? [emptyLine, ...lines] : lines;
  }

  function count(most: number, options: CellOptions): void {
    const end = Math.min(entries.length, ends.length + most);
    const plain = { ...options, libraries: { ...options.libraries, highlighter: plainHighlighter } };
    for (let at = ends.length; at < end; at += 1) {
      const line = (ends.at(-1)?.line ?? 0) + render(at, plain).length;
      ends.push({ line, columns: options.columns });
    }
  }

  return {
    get isCounted() {
      return ends.length === entries.length;
    },
    count,
    open(options) {
      count(entries.length, options);
      const kept = new Map<number, readonly StyledLine[]>();
      return {
        count: ends.at(-1)?.line ?? 0,
        at(index) {
          const found = findEntry(ends, index);
          const lines = kept.get(found) ?? render(found, options);
          kept.set(found, lines);
          const [oldest] = kept.keys();
          if (kept.size > keptEntries && oldest !== undefined) kept.delete(oldest);
          return lines[index - (ends[found - 1]?.line ?? 0)] ?? emptyLine;
        },
      };
    },
  };
}

/** The first that ends behind the line. */
function findEntry(ends: readonly { readonly line: number }[], index: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle]?.line ?? 0) > index) high = middle;
    else low = middle + 1;
  }
  return low;
}
