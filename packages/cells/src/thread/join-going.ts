import type { PagerSource } from "@unroll/screen";
import { renderItem } from "../item/render-item.ts";
import { emptyLine } from "../line/plain-line.ts";
import type { CellOptions } from "../cell-options.ts";
import type { ShownThreadState } from "./shown-thread-state.ts";

/** What is finished, and below it what is going on, whole and as it is now. */
export function joinGoing(
  finished: PagerSource,
  { view }: Pick<ShownThreadState, "view">,
  options: CellOptions,
): PagerSource {
  const going = view.cells.flatMap((cell) => {
    if (cell.type !== "item" || cell.isFinished || cell.item.type === "todo_list") return [];
    return [emptyLine, ...renderItem(cell.item, { isFinished: false, elapsedMs: null }, options)];
  });
  const lines = finished.count === 0 ? going.slice(1) : going;
  if (lines.length === 0) return finished;
  return {
    count: finished.count + lines.length,
    at: (index) => (index < finished.count ? finished.at(index) : (lines[index - finished.count] ?? emptyLine)),
  };
}
