import type { StyledLine } from "@unroll/screen";
import type { CellOptions } from "../cell-options.ts";
import { shortenText } from "@unroll/text";
import { toSpan } from "../line/plain-line.ts";

export interface Fold {
  /** Lines that are kept of the start and of the end. */
  readonly head: number;
  readonly tail: number;
  /** In front of the line that counts what is folded. */
  readonly indent: string;
}

/** The lines without their middle, which is counted. One line is never folded into one. */
export function foldLines(
  lines: readonly StyledLine[],
  { head, tail, indent }: Fold,
  { detail, more }: Pick<CellOptions, "detail" | "more">,
): readonly StyledLine[] {
  const hidden = lines.length - head - tail;
  if (detail === "whole" || hidden <= 1) return lines;
  const mark: StyledLine = { spans: [toSpan(`${indent}… +${hidden} lines, ${more}`, ["muted"])], wrap: "words" };
  return [...lines.slice(0, head), mark, ...(tail === 0 ? [] : lines.slice(-tail))];
}

/** Of a line of output, in UTF-16 units: a terminal full. */
const maxLineLength = 1000;

/** The text with its longest lines cut, where it is folded. */
export function foldLongLine(line: string, { detail, more }: Pick<CellOptions, "detail" | "more">): string {
  if (detail === "whole" || line.length <= maxLineLength) return line;
  return `${shortenText(line, maxLineLength)} (+${line.length - maxLineLength} characters, ${more})`;
}
