/** The sequences that a frame is made of (ECMA-48, and DEC's private modes). */
export const control = {
  beginUpdate: "\u001b[?2026h",
  endUpdate: "\u001b[?2026l",
  hideCursor: "\u001b[?25l",
  showCursor: "\u001b[?25h",
  /** A row of the live region that a terminal takes for wider than we do is cut, not wrapped. */
  wrapOff: "\u001b[?7l",
  wrapOn: "\u001b[?7h",
  eraseLineEnd: "\u001b[K",
  /** From a row's start to the end of the screen. tmux takes an erasure from the first cell for a page that is over, and keeps it. */
  eraseRegion: "\u001b[K \u001b[J\r\u001b[K",
  newRow: "\r\n",
  /** To the first cell of a row of the screen, from 1. */
  moveToRow: (row: number): string => `\u001b[${row};1H`,
  /** With its looks (DECSC, DECRC). */
  saveCursor: "\u001b7",
  restoreCursor: "\u001b8",
  /** The terminal answers with `CSI row ; column R`. */
  askPosition: "\u001b[6n",
} as const;

/** Moves within what is on the screen; never scrolls. */
export function moveRows(rows: number): string {
  if (rows === 0) return "";
  return rows < 0 ? `\u001b[${-rows}A` : `\u001b[${rows}B`;
}

export function moveToColumn(column: number): string {
  return column === 0 ? "\r" : `\u001b[${column + 1}G`;
}
