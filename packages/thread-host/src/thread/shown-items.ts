import { untilAborted } from "@unroll/flow";
import type { ThreadEvent } from "@unroll/protocol";

/** The items of a turn that the client received, and commands that run on after their turn. */
export interface ShownItems {
  note(event: ThreadEvent): void;
  /** Resolves when the client received this item. Rejects with the signal's reason. */
  whenShown(itemId: string, signal: AbortSignal): Promise<void>;
}

export function createShownItems(): ShownItems {
  const shown = new Map<string, PromiseWithResolvers<void>>();
  /** Commands that may still ask for a host when their turn is over. */
  const running = new Set<string>();

  function find(itemId: string): PromiseWithResolvers<void> {
    const found = shown.get(itemId) ?? Promise.withResolvers<void>();
    shown.set(itemId, found);
    return found;
  }

  return {
    note(event) {
      if ("item" in event) {
        const { id, type } = event.item;
        find(id).resolve();
        if (event.type === "item.completed") running.delete(id);
        else if (type === "command_execution") running.add(id);
      }
      if (event.type === "turn.completed" || event.type === "turn.failed")
        for (const id of shown.keys()) if (!running.has(id)) shown.delete(id);
    },
    async whenShown(itemId, signal) {
      await untilAborted(find(itemId).promise, signal);
      signal.throwIfAborted();
    },
  };
}
