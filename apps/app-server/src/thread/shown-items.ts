import { untilAborted } from "@unroll/flow";
import type { Notification } from "../schema/notifications.ts";

/** Which items of a turn the clients were told of. */
export interface ShownItems {
  note(told: readonly Notification[]): void;
  /** Resolves when they were told of this one. Rejects with the signal's reason. */
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
      for (const { method, params } of told) {
        if (method === "item/started") find(params.item.id).resolve();
        if (method === "turn/completed") shown.clear();
      }
    },
    async whenShown(itemId, signal) {
      await untilAborted(find(itemId).promise, signal);
      signal.throwIfAborted();
    },
  };
}
