import { type Row, toRowText } from "../line/row.ts";
import type { Span } from "../line/styled-line.ts";
import type { PagerSource } from "./pager.ts";

/** The next line that holds the query, from `from` on and including it; null where none does. Capital letters count if there are any. */
export function findLine(source: PagerSource, query: string, way: { from: number; by: 1 | -1 }): number | null {
  for (let line = way.from; line >= 0 && line < source.count; line += way.by) {
    if (findMatches(source.textAt(line), query).length > 0) return line;
  }
  return null;
}

/** Whether a row holds the query, as `findLine` compares. */
export function holdsMatch(row: Row, query: string): boolean {
  return findMatches(toRowText(row), query).length > 0;
}

/** A row with what was found marked. */
export function markMatches(row: Row, query: string): Row {
  const matches = findMatches(toRowText(row), query);
  if (matches.length === 0) return row;
  const spans: Span[] = [];
  let offset = 0;
  for (const span of row) {
    const end = offset + span.text.length;
    let at = offset;
    for (const match of matches) {
      const [start, stop] = [Math.max(match, at), Math.min(match + query.length, end)];
      if (stop <= start) continue;
      if (start > at) spans.push({ ...span, text: span.text.slice(at - offset, start - offset) });
      spans.push({
        ...span,
        text: span.text.slice(start - offset, stop - offset),
        roles: [...(span.roles ?? []), "selected"],
      });
      at = stop;
    }
    if (end > at) spans.push({ ...span, text: span.text.slice(at - offset) });
    offset = end;
  }
  return spans;
}

function findMatches(text: string, query: string): number[] {
  const isExact = /\p{Lu}/u.test(query);
  const lower = text.toLowerCase();
  // A few letters are longer in lower case: then offsets would not fit.
  const searched = isExact || lower.length !== text.length ? text : lower;
  const found: number[] = [];
  for (let at = searched.indexOf(query); at >= 0 && query !== ""; at = searched.indexOf(query, at + query.length))
    found.push(at);
  return found;
}
