import type { StyledLine } from "@unroll/screen";
import type { ThreadView } from "@unroll/view";
import { renderLive } from "./render-live.ts";
import type { ShownThreadState } from "./shown-thread-state.ts";

/** What is going on, as lines. */
export interface LiveLines {
  /** The same list as before where nothing of it changed, as with each key that is typed meanwhile. */
  render(columns: number): readonly StyledLine[];
}

export function createLiveLines(state: ShownThreadState): LiveLines {
  let last: { readonly of: readonly unknown[]; readonly lines: readonly StyledLine[] } | null = null;
  return {
    render(columns) {
      const { options, view, pieces, lastKey } = state;
      const of = [columns, options, view, lastKey];
      const isKept = pieces.length === 0 && isTimeless(view);
      if (isKept && last?.of.every((each, at) => each === of[at]) === true) return last.lines;
      const lines = renderLive(state, { ...options, columns, detail: "folded" });
      last = isKept ? { of, lines } : null;
      return lines;
    },
  };
}

/** Whether nothing in it says for how long it has been going on. */
function isTimeless({ cells, retry }: ThreadView): boolean {
  const isText = (type: string): boolean => type === "agent_message" || type === "reasoning";
  return retry === null && cells.every((cell) => cell.type === "item" && isText(cell.item.type));
}
