import { type Broadcast, type Clock, createAside, createBroadcast } from "@unroll/flow";
import type { NumberedEvent, ThreadEvent, TurnOutcome } from "@unroll/protocol";

/** Everything that a thread reports: to the caller of its turns, and to every reader of `thread.events()`. */
export interface ThreadFeed {
  /** From the first event of a turn to its last. */
  readonly isInTurn: () => boolean;
  /**
   * Reports something outside a turn's own events: readers get it at once, the caller of a turn
   * with its next event.
   */
  tell(event: ThreadEvent): void;
  /**
   * The events of a turn, mixed with those reported beside it, and none after the terminal one.
   * Events since the previous turn come first.
   */
  tellTurn(turnId: string, turn: AsyncGenerator<ThreadEvent, TurnOutcome>): AsyncGenerator<ThreadEvent, TurnOutcome>;
  /** The end of a turn whose consumer left, for readers only. */
  tellLeft(events: readonly ThreadEvent[]): void;
  /** See `Thread.events`. */
  read(options?: EventsOptions): AsyncGenerator<NumberedEvent, void>;
  /** Ends the readers after their queued events. */
  close(): void;
}

/** Options of a reader of a thread's events. */
export interface EventsOptions {
  /** Absent: until the thread is closed. */
  readonly signal?: AbortSignal;
  /** Whether to include the events of turns. Default true. */
  readonly ofTurns?: boolean;
}

/** How many events may wait for one reader, and for the consumer of the next turn. */
const capacity = 10_000;

interface ThreadFeedOptions {
  readonly threadId: string;
  readonly clock: Pick<Clock, "now">;
  /** Receives every event once, before all others. Absent: nothing does. */
  readonly keep?: (event: ThreadEvent) => void;
}

export function createThreadFeed({ threadId, clock, keep }: ThreadFeedOptions): ThreadFeed {
  let turnId: string | null = null;
  let seq = 0;
  /** Events before the first turn, for every reader that comes before it: none can come earlier. */
  let opening: NumberedEvent[] | null = [];
  let lost = 0;
  const skip = (count: number): ThreadEvent => ({ type: "events.skipped", count });
  const number = (event: ThreadEvent): NumberedEvent => ({ threadId, turnId, seq, at: clock.now(), event });
  const open = (): Broadcast<NumberedEvent> =>
    createBroadcast({ capacity, onSkipped: (count, next) => ({ ...next, seq: next.seq - 1, event: skip(count) }) });
  const [all, betweenTurns] = [open(), open()];
  const aside = createAside<ThreadEvent>({ capacity, onSkipped: skip, isLast: isTerminal });

  function publish(event: ThreadEvent): void {
    const numbered = number(event);
    seq += 1;
    keep?.(event);
    if (opening !== null && opening.push(numbered) >= capacity) {
      opening.shift();
      lost += 1;
    }
    all.publish(numbered);
    if (turnId === null) betweenTurns.publish(numbered);
    // Later events are between turns, also while the caller holds this one.
    if (isTerminal(event)) turnId = null;
  }

  /** For a reader that starts now. The notice of lost events, and the rest, fill at most its queue. */
  function readOpening(): readonly NumberedEvent[] {
    const [first, ...rest] = opening ?? [];
    if (first === undefined) return [];
    const skipped = { ...first, seq: first.seq - 1, event: skip(lost) };
    return lost === 0 ? [first, ...rest] : [skipped, first, ...rest];
  }

  return {
    isInTurn: () => turnId !== null,
    tell(event) {
      publish(event);
      aside.push(event);
    },
    tellLeft: (events) => events.forEach(publish),
    async *tellTurn(id, turn) {
      opening = null;
      turnId = id;
      try {
        return yield* aside.join(turn, publish);
      } finally {
        turnId = null;
      }
    },
    read({ ofTurns = true, ...options } = {}) {
      return (ofTurns ? all : betweenTurns).read({ ...options, first: readOpening() });
    },
    close() {
      all.close();
      betweenTurns.close();
    },
  };
}

function isTerminal({ type }: ThreadEvent): boolean {
  return type === "turn.completed" || type === "turn.failed";
}
