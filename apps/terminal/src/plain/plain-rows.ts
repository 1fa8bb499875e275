import { type StyledLine, toRowText } from "@unroll/screen";
import { foldLine } from "@unroll/text";

/** A row that is narrower holds too little of a word. */
const leastRoom = 20;

/** A line as rows without looks, of less than `columns` cells (null: of any length); each behind the line's hanging indent. */
export function toPlainRows({ spans, hanging = [], picture }: StyledLine, columns: number | null): readonly string[] {
  if (picture !== undefined) return [];
  const text = toRowText(spans);
  const indent = toRowText(hanging);
  const room = columns === null ? Infinity : Math.max(leastRoom, columns - 1 - indent.length);
  return foldLine(text.slice(indent.length), room).map((row, at) =>
    `${at === 0 ? text.slice(0, indent.length) : indent}${row}`.trimEnd(),
  );
}
