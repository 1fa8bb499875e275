import type { StyledLine } from "@unroll/screen";
import type { CellOptions } from "../cell-options.ts";
import { pluralize, shortenText } from "@unroll/text";
import { toSpan } from "../line/plain-line.ts";

export interface Fold {
  /** How many lines of the start and of the end are shown. */
  readonly head: number;
  readonly tail: number;
  /** In front of the line with the count. */
  readonly indent: string;
  /** So many more lines are lost. Absent: none. */
  readonly lost?: number;
}

/** The lines with their middle replaced by a count. A single line is never folded. */
export function foldLines(
  lines: readonly StyledLine[],
  { head, tail, indent, lost = 0 }: Fold,
  { detail, more }: Pick<CellOptions, "detail" | "more">,
): readonly StyledLine[] {
  const hidden = lines.length - head - tail;
  if (detail === "whole" || hidden <= 1) return lines;
  const rest = lost === 0 ? "" : `; ${pluralize(lost, "more line")} ${lost === 1 ? "was" : "were"} not kept`;
  const mark: StyledLine = {
    spans: [toSpan(`${indent}… +${pluralize(hidden, "line")}, ${more}${rest}`, ["muted"])],
    wrap: "words",
  };
  return [...lines.slice(0, head), mark, ...(tail === 0 ? [] : lines.slice(-tail))];
}

/** The longest line of output, in UTF-16 units. */
const maxLineLength = 1000;

/** A line, cut if it is too long and `detail` is `folded`. */
export function foldLongLine(line: string, { detail, more }: Pick<CellOptions, "detail" | "more">): string {
  if (detail === "whole" || line.length <= maxLineLength) return line;
  return `${shortenText(line, maxLineLength)} (+${pluralize(line.length - maxLineLength, "character")}, ${more})`;
}
