/** The lines of a text whose middle may have been left out. */
export interface CutLines {
  readonly lines: readonly string[];
  /** Null: nothing was left out. */
  readonly mark: CutMark | null;
}

/** The lines that were left out. */
export interface CutMark {
  /** Index of the line that stands for them, which is not a line of the text; null: no line does. */
  readonly at: number | null;
  /** How many lines are missing whole. */
  readonly lost: number;
}

const markLine = /^\[\.\.\. (?:left out here: (\d+) lines, \d+ bytes, about \d+ tokens|\d+ bytes left out) \.\.\.\]$/;

/**
 * Splits a text that the harness may have cut: `capText` of the tools, or the capture of a command's output.
 *
 * `omitted`: how many line breaks are known to be missing; null: only the mark knows. 0: the text is whole, and a line
 * that looks like a mark is its own.
 */
export function readCutLines(text: string, omitted: number | null): CutLines {
  const lines = text.split("\n");
  if (omitted === 0) return { lines, mark: null };
  const marks = lines.flatMap((line, at) => {
    const match = markLine.exec(line);
    return match === null ? [] : [{ at, counted: match[1] === undefined ? null : Number(match[1]) }];
  });
  const mark =
    omitted === null
      ? marks.find(({ counted }) => counted !== null)
      : (marks.find(({ counted }) => counted === omitted) ?? marks.find(({ counted }) => counted === null));
  if (mark === undefined) return { lines, mark: omitted === null ? null : { at: null, lost: omitted } };
  const { at, counted } = mark;
  const isBetween = lines[at - 1] === ""; // the text before the mark ended with its line
  // of the last line before the mark, only the end is missing, with the line break
  const lost = counted ?? Math.max(0, (omitted ?? 0) - (isBetween || at === 0 ? 0 : 1));
  if (!isBetween) return { lines, mark: { at, lost } };
  return { lines: lines.toSpliced(at - 1, 1), mark: { at: at - 1, lost } };
}
