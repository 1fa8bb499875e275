import type { StyledLine } from "@unroll/screen";
import { type CutMark, pluralize, shortenText } from "@unroll/text";
import { toSpan } from "./plain-line.ts";

export interface Fold {
  /** How many lines of the start and of the end are shown. */
  readonly head: number;
  readonly tail: number;
  /** In front of the line with the count. */
  readonly indent: string;
  /** The lines that were not kept. Absent or null: all were. */
  readonly mark?: CutMark | null;
}

interface Detail {
  /** `whole`: nothing is folded. */
  readonly detail: "folded" | "whole";
  /** How you see what is hidden: `^T shows all`. */
  readonly more: string;
}

/** The lines with their middle replaced by a count. A single line is never folded. */
export function foldLines(
  lines: readonly StyledLine[],
  { head, tail, indent, mark = null }: Fold,
  { detail, more }: Detail,
): readonly StyledLine[] {
  const { at = null, lost = 0 } = mark ?? {};
  const isMarkShown = at !== null && (at < head || at >= lines.length - tail);
  const hidden = lines.length - head - tail - (at === null || isMarkShown ? 0 : 1);
  if (detail === "whole" || hidden <= 1) return lines;
  const count = countHidden({ hidden, lost: isMarkShown ? 0 : lost, indent, more });
  return [...lines.slice(0, head), count, ...(tail === 0 ? [] : lines.slice(-tail))];
}

interface Hidden {
  readonly hidden: number;
  /** So many more lines were not kept. */
  readonly lost: number;
  readonly indent: string;
  /** How you see the hidden ones: `^T shows all`. */
  readonly more: string;
}

/** The line that says how many lines are not shown here. */
export function countHidden({ hidden, lost, indent, more }: Hidden): StyledLine {
  const rest = lost === 0 ? "" : `; ${pluralize(lost, "more line")} ${lost === 1 ? "was" : "were"} not kept`;
  return { spans: [toSpan(`${indent}… +${pluralize(hidden, "line")}, ${more}${rest}`, ["muted"])], wrap: "words" };
}

/** The longest line of output, in UTF-16 units. */
const maxLineLength = 1000;

/** A line, cut if it is too long and `detail` is `folded`. */
export function foldLongLine(line: string, { detail, more }: Detail): string {
  if (detail === "whole" || line.length <= maxLineLength) return line;
  return `${shortenText(line, maxLineLength)} (+${pluralize(line.length - maxLineLength, "character")}, ${more})`;
}
