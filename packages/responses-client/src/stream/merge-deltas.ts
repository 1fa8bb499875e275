import type { ResponseDeltaEvent } from "@unroll/protocol";
import type { OngoingEvent } from "./ongoing-event.ts";

/**
 * Puts events in a row, in their order. Deltas of one item that follow each other become one: all who are behind pay for each
 * event by promises and objects of their own, and where a server cuts a text means nothing.
 */
export interface DeltaMerger {
  push(event: OngoingEvent): void;
  /** Takes out the row. */
  take(): readonly OngoingEvent[];
}

export function createDeltaMerger(): DeltaMerger {
  let events: OngoingEvent[] = [];
  /** The delta that may go on. */
  let open: ResponseDeltaEvent | null = null;
  /** What goes on with it. Joined, not added up: a string that was added up piece by piece is kept as its pieces. */
  let more: string[] = [];

  function close(): void {
    if (open !== null) events.push(more.length === 0 ? open : { ...open, delta: open.delta + more.join("") });
    open = null;
    more = [];
  }

  return {
    push(event) {
      if (!isDelta(event)) {
        close();
        events.push(event);
      } else if (open !== null && goesOn(open, event)) {
        if (event.delta !== "") more.push(event.delta);
      } else {
        close();
        open = event;
      }
    },
    take() {
      close();
      const taken = events;
      events = [];
      return taken;
    },
  };
}

function goesOn(open: ResponseDeltaEvent, { type, item_id: id, output_index: index }: ResponseDeltaEvent): boolean {
  return type === open.type && id === open.item_id && index === open.output_index;
}

function isDelta(event: OngoingEvent): event is ResponseDeltaEvent {
  return "delta" in event;
}
