import type { LineLadder } from "../match/line-ladder.ts";
import { newLines, oldLines, type UnplacedHunk } from "../match/place-hunks.ts";
import type { Hunk } from "../patch.ts";
import type { PatchProblem } from "../patch-failure.ts";
import { closestPlace } from "./closest-place.ts";
import { clip, showDifference, showExcerpt } from "./show-line.ts";

interface Case {
  readonly path: string;
  /** Which hunk of the file, from 1. */
  readonly number: number;
  readonly unplaced: UnplacedHunk;
  readonly ladder: LineLadder;
}
interface Finding {
  readonly type: "hunk.unmatched" | "hunk.applied";
  readonly fileIndex: number | null;
  readonly text: string;
}

/** Why a hunk could not be placed, with the file's own text and the way out. */
export function explainUnplaced(subject: Case): PatchProblem {
  const { path, number, unplaced } = subject;
  const finding = findApplied(subject) ?? findElsewhere(subject) ?? findClosest(subject);
  const message = `${clip(path)}, hunk ${number} (line ${unplaced.hunk.line} of the patch): ${finding.text}`;
  const fileLine = finding.fileIndex === null ? null : finding.fileIndex + 1;
  if (finding.type === "hunk.applied" && fileLine !== null)
    return { type: "hunk.applied", path, hunk: number, fileLine, message };
  return { type: "hunk.unmatched", path, hunk: number, fileLine, message };
}

/** The new lines stand where the old ones should, or anywhere if the old ones stand nowhere. */
function findApplied({ unplaced, ladder }: Case): Finding | null {
  const { hunk, from } = unplaced;
  if (!isTelling(hunk, ladder)) return null;
  const result = newLines(hunk.lines);
  const isGone = ladder.find(oldLines(hunk.lines), { from: 0, atEnd: false }) === null;
  const fileIndex =
    ladder.find(result, { from, atEnd: hunk.endOfFile }) ??
    (isGone ? ladder.find(result, { from: 0, atEnd: false }) : null);
  if (fileIndex === null) return null;
  const text = `seems to be applied already: its new lines are in the file, from line ${fileIndex + 1} on, and its old ones are not.`;
  return { type: "hunk.applied", fileIndex, text };
}

/**
 * Whether finding a hunk's new lines means something. Context alone is found in any file that was never changed, so
 * something added, or a gap that has closed, must show; and one line alone must be the only one of its kind.
 */
function isTelling({ lines }: Hunk, ladder: LineLadder): boolean {
  const addsText = lines.some((line) => line.mark === "+" && line.text.trim() !== "");
  const closesGap = lines[0]?.mark === " " && lines.at(-1)?.mark === " ";
  const [line = "", ...more] = newLines(lines).filter((text) => text.trim() !== "");
  return (addsText || closesGap) && (more.length > 0 || ladder.occurrences(line).length === 1);
}

/** The text is in the file, but not where the hunk says. */
function findElsewhere({ unplaced, ladder }: Case): Finding | null {
  const { hunk, missingAnchor, from } = unplaced;
  const wanted = missingAnchor === null ? oldLines(hunk.lines) : [missingAnchor];
  const fileIndex = ladder.find(wanted, { from, atEnd: false }) ?? ladder.find(wanted, { from: 0, atEnd: false });
  if (fileIndex === null) return null;
  const what = missingAnchor === null ? "its lines are" : `\`@@ ${clip(missingAnchor)}\` is`;
  const text =
    fileIndex >= from
      ? `${what} at line ${fileIndex + 1} of the file, but not at its end. Leave out \`*** End of File\`.`
      : `${what} at line ${fileIndex + 1} of the file, but the search began at line ${from + 1}, after the \`@@\` lines and hunks before it. Put the hunks in the order of the file.`;
  return { type: "hunk.unmatched", fileIndex, text };
}

function findClosest(subject: Case): Finding {
  const { unplaced, ladder } = subject;
  const { hunk, missingAnchor } = unplaced;
  const wanted = missingAnchor === null ? oldLines(hunk.lines) : [missingAnchor];
  const what =
    missingAnchor === null ? "its context and removed lines are not in the file." : explainAnchor(missingAnchor);
  const place = closestPlace(ladder, wanted);
  if (place === null) return { type: "hunk.unmatched", fileIndex: null, text: `${what} ${showStart(subject)}` };
  const { fileIndex, wantedIndex } = place;
  const found = ladder.lines[fileIndex];
  const expected = wanted[wantedIndex] ?? "";
  const difference =
    found === undefined
      ? `The file ends after line ${fileIndex}, where the hunk goes on:\n  expected | ${clip(expected)}`
      : `The first line that differs is line ${fileIndex + 1}:\n${showDifference(expected, found)}`;
  const text = [what, difference, "The file there:", showExcerpt(ladder.lines, fileIndex)].join("\n");
  return { type: "hunk.unmatched", fileIndex, text };
}

function explainAnchor(anchor: string): string {
  const hint = /^-\d+(,\d+)? \+\d+(,\d+)?( @@|$)/.test(anchor)
    ? " Line numbers are not used: write `@@` alone, or `@@` and a whole line of the file."
    : "";
  return `there is no line \`${clip(anchor)}\`, as its \`@@\` says.${hint}`;
}

function showStart({ unplaced, ladder }: Case): string {
  const { lines } = ladder;
  if (lines.length === 0) return "The file is empty.";
  const index = Math.min(unplaced.from, lines.length - 1);
  return `Nothing in its ${lines.length} lines looks like it. It was looked for from line ${unplaced.from + 1} on:\n${showExcerpt(lines, index)}`;
}
