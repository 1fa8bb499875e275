import type { Clock } from "@unroll/flow";
import type { ThreadItem } from "@unroll/protocol";
import type { ThreadView } from "@unroll/view";
import type { CellOptions } from "../cell-options.ts";
import type { Entry } from "../cell/entry.ts";
import type { EntryIndex } from "./entry-index.ts";
import type { LiveText, Piece } from "./live-text.ts";

/** How a thread is shown. */
export interface ShownThreadOptions extends Omit<CellOptions, "columns" | "detail"> {
  /** For how long commands run. */
  readonly clock: Pick<Clock, "now">;
}

export interface ShownThreadState {
  options: ShownThreadOptions;
  view: ThreadView;
  readonly entries: Entry[];
  readonly index: EntryIndex;
  /** By item. */
  readonly texts: Map<string, LiveText>;
  /** By item: of texts whose blocks are written as they come, what came since they were looked at. */
  readonly deltas: Map<string, string[]>;
  /** Thoughts that were written when the model began its next item, before their end event. */
  readonly written: Set<string>;
  /** Why commands were refused, each told once. */
  readonly refusals: Set<string>;
  pieces: Piece[];
  /** Whether some of them could have been taken, too. */
  isCut: boolean;
  /** The key of the piece that was written last; null: none was. */
  lastKey: string | null;
  /** The plan as it was written last. */
  lastPlan: string | null;
}

/** A text whose blocks are written as they come. */
export type StreamedItem = Extract<ThreadItem, { readonly type: "agent_message" | "reasoning" }>;

export function isStreamed(item: ThreadItem, { reasoning }: Pick<CellOptions, "reasoning">): item is StreamedItem {
  return item.type === "agent_message" || (item.type === "reasoning" && reasoning === "shown");
}
