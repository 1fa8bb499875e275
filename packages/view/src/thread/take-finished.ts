import type { Cell } from "./cell.ts";
import type { ThreadView } from "./thread-view.ts";

export interface TakenCells {
  /** They never change any more, and never come again. */
  readonly finished: readonly Cell[];
  /** Without them. */
  readonly view: ThreadView;
}

/**
 * Takes all finished cells out of the view, even if earlier ones still run: write them once and forget them. A view
 * that is emptied after each event stays small, however long the thread is.
 */
export function takeFinished(view: ThreadView): TakenCells {
  const finished = view.cells.filter((cell) => cell.isFinished);
  if (finished.length === 0) return { finished, view };
  return { finished, view: { ...view, cells: view.cells.filter((cell) => !cell.isFinished) } };
}
