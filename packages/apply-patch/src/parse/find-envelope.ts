import type { SyntaxProblem } from "./read-patch-line.ts";

/** The lines between `*** Begin Patch` and `*** End Patch`, as indexes: `first` is in, `end` is not. */
export interface Envelope {
  readonly type: "envelope";
  readonly first: number;
  readonly end: number;
}

const heredocStart = /^(?:apply_?patch\s*)?<<\s*(['"]?)(\w+)\1$/;

/** Finds where a patch begins and ends, past blank lines and a heredoc wrapper around it. */
export function findEnvelope(lines: readonly string[]): Envelope | SyntaxProblem {
  let first = lines.findIndex((line) => line.trim() !== "");
  let last = lines.findLastIndex((line) => line.trim() !== "");
  const delimiter = heredocStart.exec(lines[first]?.trim() ?? "")?.[2];
  if (delimiter !== undefined) {
    first = skipBlank(lines, first + 1, 1);
    if (lines[last]?.trim() === delimiter) last = skipBlank(lines, last - 1, -1);
  }
  const found = (index: number) => lines[index]?.trim() ?? "";
  if (found(first) !== "*** Begin Patch") return problemAt(first, found(first), "`*** Begin Patch` as the first line");
  if (last === first || found(last) !== "*** End Patch")
    return problemAt(last, found(last), "`*** End Patch` as the last line (was the patch cut off?)");
  return { type: "envelope", first: first + 1, end: last };
}

function skipBlank(lines: readonly string[], from: number, step: 1 | -1): number {
  let index = from;
  while (lines[index]?.trim() === "") index += step;
  return index;
}

function problemAt(index: number, found: string, expected: string): SyntaxProblem {
  return { type: "syntax.problem", line: Math.max(index, 0) + 1, found, expected };
}
