import { type Row, toRowText } from "../line/row.ts";
import type { Span, StyledLine } from "../line/styled-line.ts";
import { breakText, type TextRange } from "./break-text.ts";
import { measureText } from "./text-width.ts";

/** The rows of a line in `width` cells (at least 1): words are kept whole where they fit, verbatim text is broken where a row is full. */
export function wrapLine(line: StyledLine, width: number): Row[] {
  const text = toRowText(line.spans);
  const hanging = line.hanging ?? [];
  const hangingWidth = measureText(toRowText(hanging));
  // An indent that leaves no room for words is left out.
  const isHung = hangingWidth > 0 && hangingWidth < width - 4;
  const ranges = breakText(text, {
    firstWidth: width,
    nextWidth: isHung ? width - hangingWidth : width,
    at: line.wrap === "words" ? "words" : "cells",
  });
  if (ranges.length === 1) return [line.spans];
  return ranges.map((range, index) => {
    const spans = sliceRow(line.spans, range);
    return index > 0 && isHung ? [...hanging, ...spans] : spans;
  });
}

/** The spans of a part of a row's text. */
export function sliceRow(row: Row, range: TextRange): Row {
  const spans: Span[] = [];
  let offset = 0;
  for (const span of row) {
    const [start, end] = [Math.max(range.start - offset, 0), Math.min(range.end - offset, span.text.length)];
    if (end > start)
      spans.push(start === 0 && end === span.text.length ? span : { ...span, text: span.text.slice(start, end) });
    offset += span.text.length;
  }
  return spans;
}
