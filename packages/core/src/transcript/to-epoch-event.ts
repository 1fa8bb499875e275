import type { EpochOpenedEvent } from "@unroll/protocol";
import { toFirstDifference } from "./to-first-difference.ts";
import type { Transcript } from "./transcript.ts";

/** What is told of an epoch that was just opened, or returned to. `shared`: as `openEpoch` and `undoEpoch` give it. */
export function toEpochEvent({ items }: Pick<Transcript, "items">, cause: string, shared: number): EpochOpenedEvent {
  const first_difference = toFirstDifference(items, shared);
  return { type: "epoch.opened", cause, items: items.length, shared_items: shared, first_difference };
}
