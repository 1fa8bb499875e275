import type { StyledLine } from "@unroll/screen";
import type { CellOptions } from "../cell-options.ts";
import type { Entry } from "../cell/entry.ts";
import { isNote, renderEntry } from "../cell/render-entry.ts";
import { emptyLine } from "../line/plain-line.ts";

/** Entries one below the other, as they stand in the transcript. For the pager: `detail: "whole"`. */
export function renderEntries(entries: readonly Entry[], options: CellOptions): readonly StyledLine[] {
  const lines: StyledLine[] = [];
  let last: Entry | null = null;
  for (const entry of entries) {
    const own = renderEntry(entry, options);
    if (own.length === 0) continue;
    if (last !== null && !(isNote(last) && isNote(entry))) lines.push(emptyLine);
    for (const line of own) lines.push(line);
    last = entry;
  }
  return lines;
}
