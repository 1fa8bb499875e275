import { type CellPosition, toRowText } from "../line/row.ts";
import type { StyledLine } from "../line/styled-line.ts";
import type { Painter } from "../theme/painter.ts";
import { truncateRow } from "../width/fit-row.ts";
import { control } from "./control.ts";
import { encodeLine } from "./encode-lines.ts";
import { fitLive, type LivePart, type LiveRows } from "./live-part.ts";
import { moveTo, nothingPainted, type PaintedLive, paintRows } from "./paint-live.ts";
import { findTop } from "./reflow.ts";

/** The size of a screen, in cells. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

export interface ScreenOptions extends ScreenSize {
  readonly painter: Painter;
  /** Whether we assume that the terminal rewraps lines when its width changes (`believeReflow`). */
  readonly reflows?: boolean;
}

/**
 * The terminal as an append-only scroll with a small live region at its end. It holds no output and no clock: `frame` gives the
 * bytes, which go out in one write. Nothing above the live region is ever written again.
 */
export interface Screen {
  /** Finished lines, to be written once, above the live region; they are forgotten with the frame that holds them. */
  readonly commit: (lines: readonly StyledLine[]) => void;
  readonly setLive: (parts: readonly LivePart[]) => void;
  /** Bytes that bring the terminal up to date, as one synchronized update; "" if nothing changed or the size is not settled. */
  readonly frame: () => string;
  /** Whether `frame` has something to write. A long commit takes several frames. */
  readonly isDirty: () => boolean;
  /**
   * The window changed: nothing is painted until `settle`. The caller waits until sizes stop coming, writes
   * `control.askPosition`, and settles with the answer, or with null where none comes (100 ms).
   */
  readonly resize: (size: ScreenSize) => void;
  readonly isSettling: () => boolean;
  /** The cursor's cell, from 1, as the terminal answered, or null. Called without a resize it only makes the next one surer. */
  readonly settle: (position: CellPosition | null) => void;
  /** Corrects `reflows` after the terminal reported its name (`believeReflow`). */
  readonly setReflows: (reflows: boolean) => void;
  /**
   * Another program wrote on the screen, so its contents are unknown. The next frame scrolls all of it out and starts the live
   * region at the top. While the size is not settled this does nothing, because everything is repainted then.
   */
  readonly repaint: () => void;
  /** Sets another theme or other colours. The live region is repainted; finished lines keep their colours. */
  readonly setPainter: (painter: Painter) => void;
  /**
   * Leaves the live region, cleared or as it stands, with the cursor at the start of a row of its own. Lines that were committed and
   * not written go out first. The next frame begins there.
   */
  readonly leave: (live: "clear" | "keep") => string;
  readonly size: () => ScreenSize;
}

/** A screen on which nothing is painted yet. The first frame begins at the start of the row in which the cursor stands. */
export function createScreen(options: ScreenOptions): Screen {
  const state: ScreenState = {
    size: { columns: options.columns, rows: options.rows },
    painter: options.painter,
    reflows: options.reflows ?? true,
    queue: [],
    parts: [],
    live: { rows: [], cursor: null },
    painted: nothingPainted,
    isLiveDirty: false,
    isStrewn: false,
    scrollOut: "",
    isCursorShown: true,
    settlingFrom: null,
    screenRow: null,
  };
  return {
    commit(lines) {
      for (const line of lines) state.queue.push(line);
    },
    setLive: (parts) => void Object.assign(state, { parts, isLiveDirty: true }),
    frame: () => (state.settlingFrom === null ? renderFrame(state) : ""),
    isDirty: () => state.isLiveDirty || state.queue.length > 0,
    resize: (size) => changeSize(state, size),
    isSettling: () => state.settlingFrom !== null,
    settle: (position) => settle(state, position),
    setReflows: (reflows) => void Object.assign(state, { reflows }),
    repaint: () => repaint(state),
    setPainter: (painter) => void Object.assign(state, { painter, isLiveDirty: true }),
    leave: (live) => leave(state, live),
    size: () => state.size,
  };
}

interface ScreenState {
  size: ScreenSize;
  painter: Painter;
  reflows: boolean;
  queue: StyledLine[];
  parts: readonly LivePart[];
  /** The live region before it was painted as `painted`. */
  live: LiveRows;
  painted: PaintedLive;
  isLiveDirty: boolean;
  /** The terminal may have rewrapped the region's rows, so their positions are unknown. */
  isStrewn: boolean;
  /** Bytes that empty the screen; the next frame begins with them. */
  scrollOut: string;
  isCursorShown: boolean;
  /** The size in which the region was painted, while the new one is not settled. */
  settlingFrom: ScreenSize | null;
  /** The cursor's row of the screen, from 1, as far as it is known. */
  screenRow: number | null;
}

/** A frame holds about so many characters of finished lines, so that a long transcript does not go out as one write. */
const maxCommitted = 256 * 1024;

function renderFrame(state: ScreenState): string {
  const committed = takeCommitted(state);
  if (committed.rows === 0 && !state.isLiveDirty) return "";
  const { columns, rows } = state.size;
  const fitted = fitLive(state.parts, rows);
  const live = { rows: fitted.rows.map((row) => truncateRow(row, columns - 1)), cursor: fitted.cursor };
  const wanted = live.rows.map((row) => state.painter.paintPlaced(row));
  const lead = state.scrollOut + leadIn(state, committed);
  const painted = paintRows(lead === "" ? state.painted : nothingPainted, wanted);
  const at = placeCursor(live, columns);
  const bytes = {
    lead,
    rows: painted.bytes,
    cursor: moveTo(painted.row, at),
  };
  const isMoved = at.row !== state.painted.at.row || at.column !== state.painted.at.column;
  const isCursorChanged = state.isCursorShown !== (live.cursor !== null);
  trackRow(state, { committed: committed.rows, height: wanted.length, cursor: at.row });
  const isCursorShown = live.cursor !== null;
  Object.assign(state, {
    live,
    painted: { rows: wanted, at },
    isLiveDirty: false,
    isStrewn: false,
    scrollOut: "",
    isCursorShown,
  });
  if (bytes.lead + bytes.rows === "" && !isCursorChanged) return isMoved ? bytes.cursor : "";
  return toUpdate(bytes, isCursorShown);
}

/** Bytes that precede the live region: its old rows are erased, and finished lines take their place. */
function leadIn(state: ScreenState, committed: { bytes: string; rows: number }): string {
  if (committed.rows === 0 && !state.isStrewn) return "";
  // Erased before it is written over: a row that was wrapped would stay joined to the next one, and lines that meet a window which was
  // made narrower meanwhile wrap into rows of the old region.
  return moveTo(state.painted.at.row, { row: 0, column: 0 }) + control.eraseRegion + committed.bytes;
}

/** One synchronized update; a terminal that does not know them still gets it in one write. */
function toUpdate(bytes: { lead: string; rows: string; cursor: string }, hasCursor: boolean): string {
  const rows = bytes.rows === "" ? "" : control.wrapOff + bytes.rows + control.wrapOn;
  const body = control.hideCursor + bytes.lead + rows + bytes.cursor;
  return control.beginUpdate + body + (hasCursor ? control.showCursor : "") + control.endUpdate;
}

function placeCursor(live: LiveRows, columns: number): CellPosition {
  const { row, column } = live.cursor ?? { row: Math.max(0, live.rows.length - 1), column: 0 };
  return { row, column: Math.max(0, Math.min(column, columns - 1)) };
}

function takeCommitted(state: ScreenState): { bytes: string; rows: number } {
  const { queue, size, painter } = state;
  const pieces: string[] = [];
  let [taken, length, rows] = [0, 0, 0];
  for (const line of queue) {
    if (length > maxCommitted) break;
    const encoded = encodeLine(line, size, painter);
    pieces.push(encoded.bytes);
    length += encoded.bytes.length;
    rows += encoded.rows;
    taken += 1;
  }
  state.queue = taken === queue.length ? [] : queue.slice(taken);
  return { bytes: pieces.join(""), rows };
}

function trackRow(state: ScreenState, after: { committed: number; height: number; cursor: number }): void {
  if (state.screenRow === null) return;
  const top = state.screenRow - state.painted.at.row + after.committed;
  const last = top + Math.max(1, after.height) - 1;
  state.screenRow = Math.min(top, top - (last - state.size.rows)) + after.cursor;
}

function changeSize(state: ScreenState, size: ScreenSize): void {
  if (size.columns === state.size.columns && size.rows === state.size.rows) return;
  state.settlingFrom ??= state.size;
  state.size = { columns: Math.max(2, size.columns), rows: Math.max(2, size.rows) };
}

function repaint(state: ScreenState): void {
  if (state.settlingFrom !== null) return;
  const { rows } = state.size;
  // erase nothing: the live region may not be where we think it is
  state.scrollOut = control.moveToRow(rows) + control.newRow.repeat(rows) + control.moveToRow(1);
  Object.assign(state, { painted: nothingPainted, isLiveDirty: true, isStrewn: false, screenRow: 1 });
}

function settle(state: ScreenState, position: CellPosition | null): void {
  const from = state.settlingFrom;
  if (from !== null) {
    const { rowsAbove, reflows } = findTop(
      {
        rows: state.live.rows.map(toRowText),
        cursor: state.painted.at,
        columns: from.columns,
        screenRows: from.rows,
        screenRow: state.screenRow,
      },
      { columns: state.size.columns, screenRows: state.size.rows, answer: position },
      state.reflows,
    );
    state.painted = { rows: [], at: { row: rowsAbove, column: 0 } };
    Object.assign(state, { reflows, settlingFrom: null, isLiveDirty: true, isStrewn: true });
  }
  state.screenRow = position?.row ?? null;
}

function leave(state: ScreenState, live: "clear" | "keep"): string {
  if (state.settlingFrom !== null) settle(state, null);
  let bytes = "";
  if (live === "clear") Object.assign(state, { parts: [], isLiveDirty: true });
  while (state.isLiveDirty || state.queue.length > 0) bytes += renderFrame(state);
  const { rows, at } = state.painted;
  if (rows.length > 0) bytes += moveTo(at.row, { row: rows.length - 1, column: 0 }) + control.newRow;
  if (!state.isCursorShown) bytes += control.showCursor;
  Object.assign(state, { painted: nothingPainted, live: { rows: [], cursor: null }, parts: [] });
  Object.assign(state, { isLiveDirty: false, isCursorShown: true, screenRow: null });
  return bytes;
}
