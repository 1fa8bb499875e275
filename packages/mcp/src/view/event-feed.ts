import { keepEvent, type McpEvent } from "../server/mcp-event.ts";

/** Tells events to whoever listens, as they happen. */
export interface EventFeed {
  readonly tell: (event: McpEvent) => void;
  /** Returns what ends it. */
  readonly listen: (listener: (event: McpEvent) => void) => () => void;
}

/** What happened before anybody listened, `earlier` first, is kept for the first listener. */
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
