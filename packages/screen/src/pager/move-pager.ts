import { wrapLine } from "../width/wrap-line.ts";
import type { Pager, PagerSize, PagerSource } from "./pager.ts";

type Place = Pager["top"];

/** The place so many rows further down, or up where `by` is negative; never beyond the last full page. */
export function movePager(pager: Pager, by: number, size: PagerSize): Pager {
  const moved =
    by < 0 ? moveUp(pager.source, pager.top, { by: -by, size }) : moveDown(pager.source, pager.top, { by, size });
  const last = findLastTop(pager.source, size);
  return { ...pager, top: isBehind(moved, last) ? last : moved };
}

/** The top at which the last row of all is the last that is seen. */
export function findLastTop(source: PagerSource, size: PagerSize): Place {
  const { count } = source;
  if (count === 0) return { line: 0, row: 0 };
  const last = { line: count - 1, row: countRows(source, count - 1, size) - 1 };
  return moveUp(source, last, { by: bodyRows(size) - 1, size });
}

/** Rows for lines; the last row of the window says where one is. */
export function bodyRows(size: PagerSize): number {
  return Math.max(1, size.rows - 1);
}

function countRows(source: PagerSource, line: number, size: PagerSize): number {
  return wrapLine(source.at(line), Math.max(1, size.columns)).length;
}

export function isBehind(left: Place, right: Place): boolean {
  return left.line > right.line || (left.line === right.line && left.row > right.row);
}

function moveDown(source: PagerSource, from: Place, way: { by: number; size: PagerSize }): Place {
  let { line, row } = from;
  for (let left = way.by; left > 0 && line < source.count;) {
    const rest = countRows(source, line, way.size) - 1 - row;
    if (rest >= left) return { line, row: row + left };
    left -= rest + 1;
    [line, row] = [line + 1, 0];
  }
  return { line, row };
}

function moveUp(source: PagerSource, from: Place, way: { by: number; size: PagerSize }): Place {
  let { line, row } = from;
  for (let left = way.by; left > 0;) {
    if (row >= left) return { line, row: row - left };
    if (line === 0) return { line: 0, row: 0 };
    left -= row + 1;
    line -= 1;
    row = countRows(source, line, way.size) - 1;
  }
  return { line, row };
}
