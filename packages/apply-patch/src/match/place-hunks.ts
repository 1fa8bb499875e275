import type { Hunk, HunkLine } from "../patch.ts";
import type { LineLadder } from "./line-ladder.ts";

/** Where a hunk belongs in its file, or that it was not found. */
export type HunkPlacement = PlacedHunk | UnplacedHunk;

export interface PlacedHunk {
  readonly type: "hunk.placed";
  /** The index of the file's line for the first of `lines`; the number of lines means the end of the file. */
  readonly start: number;
  /** The hunk's lines, without blank lines at its end that the file does not have. */
  readonly lines: readonly HunkLine[];
}
export interface UnplacedHunk {
  readonly type: "hunk.unplaced";
  readonly hunk: Hunk;
  /** The first of its anchors that was not found; null when the anchors were found, but the lines were not. */
  readonly missingAnchor: string | null;
  /** Index of the line from which it was looked for. */
  readonly from: number;
}

/** From where the next lines are looked for. */
interface Position {
  /** Past all that was matched before. */
  readonly next: number;
  /** Past all that was changed before: as far back as a hunk may reach that repeats context of the one before it. */
  readonly floor: number;
}

/** Finds each hunk after the one before it. A hunk that is not found does not move the search. */
export function placeHunks(ladder: LineLadder, hunks: readonly Hunk[]): readonly HunkPlacement[] {
  let position: Position = { next: 0, floor: 0 };
  return hunks.map((hunk) => {
    const placement = placeHunk(ladder, hunk, position);
    if (placement.type === "hunk.placed") position = positionAfter(placement);
    return placement;
  });
}

function placeHunk(ladder: LineLadder, hunk: Hunk, position: Position): HunkPlacement {
  let place = position;
  for (const anchor of hunk.anchors) {
    const found = findLines(ladder, [anchor], { ...place, atEnd: false });
    if (found === null) return { type: "hunk.unplaced", hunk, missingAnchor: anchor, from: place.next };
    place = { next: found + 1, floor: found };
  }
  return placeLines(ladder, hunk, place) ?? { type: "hunk.unplaced", hunk, missingAnchor: null, from: place.next };
}

function placeLines(ladder: LineLadder, hunk: Hunk, place: Position): PlacedHunk | null {
  const old = oldLines(hunk.lines);
  if (old.length === 0) {
    const atAnchor = hunk.anchors.length > 0 && !hunk.endOfFile;
    return { type: "hunk.placed", start: atAnchor ? place.next : ladder.lines.length, lines: hunk.lines };
  }
  const start = findLines(ladder, old, { ...place, atEnd: hunk.endOfFile });
  if (start !== null) return { type: "hunk.placed", start, lines: hunk.lines };
  const shorter = withoutBlankEnd(hunk);
  if (shorter === null) return null;
  const shorterStart = findLines(ladder, oldLines(shorter.lines), { ...place, atEnd: shorter.endOfFile });
  return shorterStart === null ? null : { type: "hunk.placed", start: shorterStart, lines: shorter.lines };
}

function findLines(
  ladder: LineLadder,
  wanted: readonly string[],
  { next, floor, atEnd }: Position & { readonly atEnd: boolean },
): number | null {
  return (
    ladder.find(wanted, { from: next, atEnd }) ?? (floor < next ? ladder.find(wanted, { from: floor, atEnd }) : null)
  );
}

/**
 * Models take the line break at the end of a file, or a blank line between two hunks, for a line. Such a blank line is
 * given up when the file has none there; a removed one only at the end of the file. Null when there is none to give up.
 */
function withoutBlankEnd(hunk: Hunk): Pick<Hunk, "lines" | "endOfFile"> | null {
  const kept: HunkLine[] = [];
  let endOfFile = hunk.endOfFile;
  let rest = hunk.lines.length;
  for (; rest > 0; rest--) {
    const line = hunk.lines[rest - 1];
    if (line?.mark === "+") kept.unshift(line);
    else if (line?.text !== "" || (line.mark === " " && kept.length > 0)) break;
    else endOfFile ||= line.mark === "-";
  }
  const lines = [...hunk.lines.slice(0, rest), ...kept];
  return rest === 0 || lines.length === hunk.lines.length ? null : { lines, endOfFile };
}

function positionAfter({ start, lines }: PlacedHunk): Position {
  const old = lines.filter((line) => line.mark !== "+");
  const lastChange = lines.findLastIndex((line) => line.mark !== " ");
  const next = start + old.length;
  return { next, floor: next - (lines.length - 1 - lastChange) };
}

/** The lines that a hunk looks for. */
export function oldLines(lines: readonly HunkLine[]): readonly string[] {
  return lines.filter((line) => line.mark !== "+").map((line) => line.text);
}

/** The lines that a hunk leaves behind. */
export function newLines(lines: readonly HunkLine[]): readonly string[] {
  return lines.filter((line) => line.mark !== "-").map((line) => line.text);
}
