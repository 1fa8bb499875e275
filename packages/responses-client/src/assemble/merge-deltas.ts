import type { ResponseDeltaEvent, ResponseEvent, ResponseTerminalEvent } from "@unroll/protocol";
import type { TextPart } from "./streamed-item.ts";

/** What a response consists of until it ends; how it ends is the outcome. */
export type OngoingEvent = Exclude<ResponseEvent, ResponseTerminalEvent>;

/**
 * Puts events in a row, in their order. Deltas of one text that follow each other become one: all who are behind pay for each
 * event by promises and objects of their own, and where a server cuts a text means nothing.
 */
export interface DeltaMerger {
  push(event: OngoingEvent): void;
  /** `part`: the text that goes on; it grows when the next event of something else comes, or at the latest with `take`. */
  pushDelta(event: ResponseDeltaEvent, part: TextPart): void;
  /** Adds what came to its text. */
  close(): void;
  /** Takes out the row. */
  take(): readonly OngoingEvent[];
}

export function createDeltaMerger(): DeltaMerger {
  let events: OngoingEvent[] = [];
  /** The delta that may go on, and its text. */
  let open: ResponseDeltaEvent | null = null;
  let text: TextPart | null = null;
  /** What goes on with it. Joined, not added up: a string that was added up piece by piece is kept as its pieces. */
  let more: string[] = [];

  function close(): void {
    if (open === null || text === null) return;
    const event = more.length === 0 ? open : { ...open, delta: open.delta + more.join("") };
    text.text += event.delta;
    events.push(event);
    if (more.length > 0) more = [];
    open = null;
    text = null;
  }

  return {
    push(event) {
      close();
      events.push(event);
    },
    pushDelta(event, part) {
      if (part === text) {
        if (event.delta !== "") more.push(event.delta);
        return;
      }
      close();
      open = event;
      text = part;
    },
    close,
    take() {
      close();
      const taken = events;
      events = [];
      return taken;
    },
  };
}
