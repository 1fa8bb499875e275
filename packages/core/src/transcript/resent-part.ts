import type { ResentPart } from "@unroll/accounting";
import type { EpochOpenedEvent, FirstDifference, ResponseItem } from "@unroll/protocol";
import { countShared, type Epoch, type Epochs } from "./epochs.ts";

/** The beginning of an epoch: what a request sent. */
export interface SentPart {
  readonly epoch: Epoch;
  readonly items: number;
  readonly bytes: number;
}

export function takeSentPart(epoch: Epoch): SentPart {
  return { epoch, items: epoch.items.length, bytes: epoch.bytes().length };
}

export function compareEpochs({ epoch: before, items, bytes }: SentPart, { current, cause }: Epochs): ResentPart {
  if (before === current) return { bytes, sharedBytes: bytes, firstDifference: null, cause: null };
  const shared = countShared(before, current, items);
  if (shared === items) return { bytes, sharedBytes: bytes, firstDifference: null, cause };
  const firstDifference = toFirstDifference(current.items, shared);
  return { bytes, sharedBytes: current.endOf(shared), firstDifference, cause };
}

/** `input`: encoded items of which nothing is known but the bytes. */
export function compareInput({ epoch, bytes }: SentPart, input: Uint8Array): ResentPart {
  const sent = epoch.bytes().subarray(0, bytes);
  const end = sent.findIndex((byte, index) => byte !== input[index]);
  const firstDifference = end === -1 ? null : { index: null, type: "input" };
  return { bytes, sharedBytes: end === -1 ? bytes : end, firstDifference, cause: null };
}

/**
 * The event of an epoch that was just opened, or returned to. `shared`: as returned by `openEpoch`
 * and `undoEpoch`.
 */
export function toEpochEvent(
  { items }: { readonly items: readonly ResponseItem[] },
  cause: string,
  shared: number,
): EpochOpenedEvent {
  const first_difference = toFirstDifference(items, shared);
  return { type: "epoch.opened", cause, items: items.length, shared_items: shared, first_difference };
}

/** The item at a place where the ones before differ from what was. */
function toFirstDifference(items: readonly ResponseItem[], index: number): FirstDifference {
  const item = items[index];
  return { index, type: item === undefined ? "end" : item.type === "unknown" ? item.itemType : item.type };
}
