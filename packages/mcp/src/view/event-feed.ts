import { keepEvent, type McpEvent } from "../server/mcp-event.ts";

/** Passes events to listeners, as they happen. */
export interface EventFeed {
  readonly tell: (event: McpEvent) => void;
  /** Returns a function that removes the listener. */
  readonly listen: (listener: (event: McpEvent) => void) => () => void;
}

/** Events before the first listener, `earlier` first, are kept for it. */
export function createEventFeed(earlier: readonly McpEvent[]): EventFeed {
  const waiting = [...earlier];
  const listeners = new Set<(event: McpEvent) => void>();
  let isHeard = false;
  return {
    tell(event) {
      if (!isHeard) keepEvent(waiting, event);
      for (const listener of listeners) listener(event);
    },
    listen(listener) {
      isHeard = true;
      for (const event of waiting.splice(0)) listener(event);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
