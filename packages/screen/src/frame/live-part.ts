import type { CellPosition, Row } from "../line/row.ts";

/** A part of the live region: rows already broken to the width, and what they give up where room is short. */
export interface LivePart {
  readonly rows: readonly Row[];
  /** `never` is always shown (composer, status, dialog); of others the `oldest` rows (the end of an output stays) or the `newest` go. */
  readonly yields: "never" | "oldest" | "newest";
  /** Where the terminal's own cursor stands, within the part: the last part that has one wins. */
  readonly cursor?: CellPosition;
}

/** The visible rows of all parts. */
export interface LiveRows {
  readonly rows: readonly Row[];
  readonly cursor: CellPosition | null;
}

/**
 * The parts in as many rows as a screen of `screenRows` has for them. All together take at most 12 rows or 40 % of the screen (a tall
 * region leaves more behind when the window is made smaller); parts that never yield may take more, up to all rows but one.
 */
export function fitLive(parts: readonly LivePart[], screenRows: number): LiveRows {
  const most = Math.max(1, screenRows - 1);
  const kept = parts.filter((part) => part.yields === "never").reduce((sum, part) => sum + part.rows.length, 0);
  let room = Math.max(0, Math.min(most, Math.max(12, Math.floor(screenRows * 0.4))) - kept);
  const rows: Row[] = [];
  let cursor: CellPosition | null = null;
  // The last parts are next to the composer, and matter most: they take their room first.
  const shares = parts.toReversed().map((part) => {
    if (part.yields === "never") return part.rows.length;
    const share = Math.min(room, part.rows.length);
    room -= share;
    return share;
  });
  for (const [index, part] of parts.entries()) {
    const share = shares[parts.length - 1 - index] ?? 0;
    const first = part.yields === "oldest" ? part.rows.length - share : 0;
    const row = part.cursor === undefined ? -1 : part.cursor.row - first;
    if (part.cursor !== undefined && row >= 0 && row < share)
      cursor = { row: rows.length + row, column: part.cursor.column };
    rows.push(...part.rows.slice(first, first + share));
  }
  return cutAround({ rows, cursor }, most);
}

/** Keeps at most `most` rows: the last ones, or if the cursor is above those, rows that begin with the cursor's. */
function cutAround(live: LiveRows, most: number): LiveRows {
  const { rows, cursor } = live;
  if (rows.length <= most) return live;
  const first = Math.min(rows.length - most, cursor?.row ?? rows.length);
  return {
    rows: rows.slice(first, first + most),
    cursor: cursor === null ? null : { row: cursor.row - first, column: cursor.column },
  };
}
