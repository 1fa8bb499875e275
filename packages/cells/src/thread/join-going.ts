import type { PagerSource } from "@unroll/screen";
import { splitItemParts } from "../item/render-item.ts";
import type { LinePart } from "../line/line-part.ts";
import { openParts } from "../line/open-parts.ts";
import { emptyLine } from "../line/plain-line.ts";
import type { CellOptions } from "../cell-options.ts";
import type { ShownThreadState } from "./shown-thread-state.ts";

/** What is finished, and below it what is going on, whole and as it is now. */
export function joinGoing(
  finished: PagerSource,
  { view }: Pick<ShownThreadState, "view">,
  options: CellOptions,
): PagerSource {
  const parts = view.cells.flatMap((cell): readonly LinePart[] => {
    if (cell.type !== "item" || cell.isFinished || cell.item.type === "todo_list") return [];
    return [() => [emptyLine], ...splitItemParts(cell.item, { isFinished: false, now: null }, options)];
  });
  const going = openParts(finished.count === 0 ? parts.slice(1) : parts);
  return {
    count: finished.count + going.count,
    at: (index) => (index < finished.count ? finished.at(index) : going.at(index - finished.count)),
    textAt: (index) => (index < finished.count ? finished.textAt(index) : going.textAt(index - finished.count)),
  };
}
