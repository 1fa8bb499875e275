import type { FirstDifference, ResponseItem } from "@unroll/protocol";

/** How a transcript stands to what the last request that was answered had sent. */
export interface AnsweredPart {
  /** Of the items that it had sent. */
  readonly bytes: number;
  /** Of them those, from the first on, that are sent again as they were. */
  readonly sharedBytes: number;
  /** Null: all are. */
  readonly firstDifference: FirstDifference | null;
  /** Why the transcript began anew since then; null: it did not. */
  readonly cause: string | null;
}

/** The item at a place where the ones before differ from what was. */
export function toFirstDifference(items: readonly ResponseItem[], index: number): FirstDifference {
  const item = items[index];
  return { index, type: item === undefined ? "end" : item.type === "unknown" ? item.itemType : item.type };
}
