import { type PagerSource, type StyledLine, toRowText } from "@unroll/screen";

const nothing: StyledLine = { spans: [], wrap: "words" };

/** Lines that are all there already, for a pager. */
export function toSource(lines: readonly StyledLine[]): PagerSource {
  const at = (index: number): StyledLine => lines[index] ?? nothing;
  return { count: lines.length, at, textAt: (index) => toRowText(at(index).spans) };
}
