import { untilAborted } from "@unroll/flow";
import type { ThreadEvent } from "@unroll/protocol";

/** The items of a turn that the client received. */
export interface ShownItems {
  note(event: ThreadEvent): void;
  /** Resolves when the client received this item. Rejects with the signal's reason. */
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
    note(event) {
      if ("item" in event) find(event.item.id).resolve();
      if (event.type === "turn.completed" || event.type === "turn.failed") shown.clear();
    },
    async whenShown(itemId, signal) {
      await untilAborted(find(itemId).promise, signal);
      signal.throwIfAborted();
    },
  };
}
