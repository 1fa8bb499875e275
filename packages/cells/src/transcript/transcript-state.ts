import type { ThreadItem } from "@unroll/protocol";
import type { ThreadView } from "@unroll/view";
import type { CellOptions } from "../cell/cell-options.ts";
import type { Entry } from "../cell/entry.ts";
import type { LiveText, Piece } from "./live-text.ts";

export interface TranscriptOptions extends Omit<CellOptions, "columns" | "detail"> {
  /** Monotonic milliseconds: for how long commands run. */
  readonly elapsed: () => number;
}

export interface TranscriptState {
  options: TranscriptOptions;
  view: ThreadView;
  readonly entries: Entry[];
  /** By item; of those that have not ended. */
  readonly startedAt: Map<string, number>;
  /** By item. */
  readonly texts: Map<string, LiveText>;
  pieces: Piece[];
  /** Of what was written last; null: nothing was. */
  lastKey: string | null;
  /** The plan as it was written last. */
  lastPlan: string | null;
}

/** A text whose blocks are written as they come. */
export type StreamedItem = Extract<ThreadItem, { readonly type: "agent_message" | "reasoning" }>;

export function isStreamed(item: ThreadItem, { reasoning }: Pick<CellOptions, "reasoning">): item is StreamedItem {
  return item.type === "agent_message" || (item.type === "reasoning" && reasoning === "shown");
}
