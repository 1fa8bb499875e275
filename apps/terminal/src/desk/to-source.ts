import type { PagerSource, StyledLine } from "@unroll/screen";

const nothing: StyledLine = { spans: [], wrap: "words" };

/** Lines that are all there already, for a pager. */
export function toSource(lines: readonly StyledLine[]): PagerSource {
  return { count: lines.length, at: (index) => lines[index] ?? nothing };
}
