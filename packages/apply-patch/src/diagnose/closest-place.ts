import type { LineLadder } from "../match/line-ladder.ts";
import { sharedStart } from "./show-line.ts";

/** The place of a file that looks most like some lines, by the first line that differs there. */
export interface ClosestPlace {
  /** Index into the file; its length when the file ends before the lines do. */
  readonly fileIndex: number;
  /** Index into the wanted lines. */
  readonly wantedIndex: number;
}

/** A line that occurs more often than this does not help to find a place. */
const commonLine = 30;
/** How far from the likeliest place a longer run of matching lines is looked for. */
const reach = 200;

/** Null when nothing in the file looks like `wanted`. Time linear in the file and in `wanted`. */
export function closestPlace(ladder: LineLadder, wanted: readonly string[]): ClosestPlace | null {
  const likely = likeliestStart(ladder, wanted);
  if (likely === null) return null;
  const start = longestRunNear(ladder, wanted, likely);
  const wantedIndex = matchingRun(ladder, wanted, start);
  return { fileIndex: Math.min(start + wantedIndex, ladder.lines.length), wantedIndex };
}

/** The start at which the most lines are as wanted; if no line is, the one that puts two similar lines together. */
function likeliestStart(ladder: LineLadder, wanted: readonly string[]): { start: number; votes: number } | null {
  const votes = new Map<number, number>();
  for (const [index, line] of wanted.entries()) {
    const places = line.trim() === "" ? [] : ladder.occurrences(line);
    if (places.length > commonLine) continue;
    for (const place of places) votes.set(place - index, (votes.get(place - index) ?? 0) + 1);
  }
  let best: { start: number; votes: number } | null = null;
  for (const [start, count] of votes) if (count > (best?.votes ?? 0)) best = { start, votes: count };
  return best ?? similarStart(ladder.lines, wanted);
}

function similarStart(lines: readonly string[], wanted: readonly string[]): { start: number; votes: number } | null {
  const telling = wanted.reduce((best, line) => (line.trim().length > best.trim().length ? line : best), "");
  const text = telling.trim();
  let best = { index: -1, score: 0.5 };
  for (const [index, line] of lines.entries()) {
    const score = similarity(line.trim(), text, best.score);
    if (score > best.score) best = { index, score };
  }
  return best.index === -1 ? null : { start: best.index - wanted.indexOf(telling), votes: 0 };
}

/**
 * From 0 to 1: how much of the longer line the two have in common at both ends; 0 when that cannot be above `least`.
 */
function similarity(one: string, other: string, least: number): number {
  const [shorter, longer] = [Math.min(one.length, other.length), Math.max(one.length, other.length)];
  if (shorter <= longer * least) return 0;
  const start = sharedStart(one, other);
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return (start + end) / longer;
}

/**
 * Where a line was left out or put in, the lines after it vote for a start that is off by one. A run of matching lines
 * nearby that begins with the first wanted line shows where the two part.
 */
function longestRunNear(
  ladder: LineLadder,
  wanted: readonly string[],
  likely: { readonly start: number; readonly votes: number },
): number {
  let best = { start: Math.max(likely.start, 0), run: matchingRun(ladder, wanted, Math.max(likely.start, 0)) };
  const near = ladder.occurrences(wanted[0] ?? "").filter((place) => Math.abs(place - likely.start) <= reach);
  for (const start of near) {
    const run = matchingRun(ladder, wanted, start);
    if (run > best.run && run * 3 >= likely.votes) best = { start, run };
  }
  return best.start;
}

function matchingRun(ladder: LineLadder, wanted: readonly string[], start: number): number {
  const end = wanted.findIndex((line, index) => !ladder.matches(start + index, line));
  return end === -1 ? wanted.length : end;
}
