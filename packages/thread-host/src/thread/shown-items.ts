import { untilAborted } from "@unroll/flow";
import type { ThreadEvent } from "@unroll/protocol";

/** Which items of a turn were told. */
export interface ShownItems {
  note(told: ThreadEvent): void;
  /** Resolves when this one was told. Rejects with the signal's reason. */
  whenShown(itemId: string, signal: AbortSignal): Promise<void>;
}

export function createShownItems(): ShownItems {
  const shown = new Map<string, PromiseWithResolvers<void>>();

  function find(itemId: string): PromiseWithResolvers<void> {
    const found = shown.get(itemId) ?? Promise.withResolvers<void>();
    shown.set(itemId, found);
    return found;
  }

  return {
    note(told) {
      if ("item" in told) find(told.item.id).resolve();
      if (told.type === "turn.completed" || told.type === "turn.failed") shown.clear();
    },
    async whenShown(itemId, signal) {
      await untilAborted(find(itemId).promise, signal);
      signal.throwIfAborted();
    },
  };
}
