import type { Span, StyledLine } from "@unroll/screen";

/** Spans that begin the first line, and those that begin every later line and wrapped row. */
export interface Indent {
  readonly first: readonly Span[];
  readonly next: readonly Span[];
}

/** The lines behind a mark, further in. */
export function indentLines(lines: readonly StyledLine[], { first, next }: Indent): readonly StyledLine[] {
  return lines.map((line, at) => ({
    ...line,
    spans: line.spans.length === 0 ? (at === 0 ? first : trimEnd(next)) : [...(at === 0 ? first : next), ...line.spans],
    hanging: [...next, ...(line.hanging ?? [])],
  }));
}

/** An empty line keeps the mark of a quote, but no spaces at its end. */
function trimEnd(spans: readonly Span[]): readonly Span[] {
  const last = spans.at(-1);
  return last !== undefined && last.text.trim() === "" ? trimEnd(spans.slice(0, -1)) : spans;
}
