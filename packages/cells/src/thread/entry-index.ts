import type { PagerSource, StyledLine } from "@unroll/screen";
import type { Entry } from "../cell/entry.ts";
import { isNote, renderEntry, splitEntryParts } from "../cell/render-entry.ts";
import { withoutColors } from "../code/highlighter.ts";
import { openParts } from "../line/open-parts.ts";
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

  function gapAbove(at: number): readonly StyledLine[] {
    const [before, entry] = [entries[at - 1], entries[at]];
    const hasGap = before !== undefined && entry !== undefined && !(isNote(before) && isNote(entry));
    return hasGap ? [emptyLine] : [];
  }

  function count(most: number, options: CellOptions): void {
    const libraries = { ...options.libraries, highlighter: withoutColors(options.libraries.highlighter) };
    for (const entry of entries.slice(ends.length, ends.length + most)) {
      const { length } = renderEntry(entry, { ...options, libraries, detail: "whole" });
      const gap = length === 0 ? 0 : gapAbove(ends.length).length;
      ends.push({ line: (ends.at(-1)?.line ?? 0) + gap + length, columns: options.columns });
    }
  }

  function openEntry(at: number, options: CellOptions): PagerSource {
    const [entry, columns] = [entries[at], ends[at]?.columns ?? options.columns];
    if (entry === undefined) return openParts([]);
    return openParts([() => gapAbove(at), ...splitEntryParts(entry, { ...options, columns, detail: "whole" })]);
  }

  return {
    get isCounted() {
      return ends.length === entries.length;
    },
    count,
    open(options) {
      count(entries.length, options);
      const kept = new Map<number, PagerSource>();
      const find = (index: number): { readonly lines: PagerSource; readonly line: number } => {
        const found = findEntry(ends, index);
        const lines = kept.get(found) ?? openEntry(found, options);
        kept.set(found, lines);
        const [oldest] = kept.keys();
        if (kept.size > keptEntries && oldest !== undefined) kept.delete(oldest);
        return { lines, line: index - (ends[found - 1]?.line ?? 0) };
      };
      return {
        count: ends.at(-1)?.line ?? 0,
        at(index) {
          const { lines, line } = find(index);
          return lines.at(line);
        },
        textAt(index) {
          const { lines, line } = find(index);
          return lines.textAt(line);
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
