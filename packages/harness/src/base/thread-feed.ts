import { type Broadcast, type Clock, createAside, createBroadcast } from "@unroll/flow";
import type { NumberedEvent, ThreadEvent, TurnOutcome } from "@unroll/protocol";

/** All that a thread tells: to whoever runs its turns, and to every reader of `thread.events()`. */
export interface ThreadFeed {
  /** From the first event of a turn to its last. */
  readonly isInTurn: () => boolean;
  /** Something that happened beside a turn, or between turns: readers hear of it at once, who runs a turn with its next event. */
  tell(event: ThreadEvent): void;
  /**
   * The events of a turn as they are told, with those beside it in between and none behind the terminal one. What
   * was told since the turn before comes first.
   */
  tellTurn(turnId: string, turn: AsyncGenerator<ThreadEvent, TurnOutcome>): AsyncGenerator<ThreadEvent, TurnOutcome>;
  /** How the turn ended whose consumer left: for the readers alone. */
  tellLeft(events: readonly ThreadEvent[]): void;
  /** As of `Thread.events`. */
  read(options?: EventsOptions): AsyncGenerator<NumberedEvent, void>;
  /** Ends the readers after what waits for them. */
  close(): void;
}

/** What a reader of a thread's events wants. */
export interface EventsOptions {
  /** Absent: until the thread is closed. */
  readonly signal?: AbortSignal;
  /** Whether those of turns, too. Default yes. */
  readonly ofTurns?: boolean;
}

/** How many events may wait for one reader, and for the consumer of the next turn. */
const capacity = 10_000;

interface ThreadFeedOptions {
  readonly threadId: string;
  readonly clock: Pick<Clock, "now">;
  /** Is given every event once, before anybody else. Absent: nobody is. */
  readonly keep?: (event: ThreadEvent) => void;
}

export function createThreadFeed({ threadId, clock, keep }: ThreadFeedOptions): ThreadFeed {
  let turnId: string | null = null;
  let seq = 0;
  /** What is told before the first turn goes to every reader that comes before it: nobody can come earlier. */
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
    // what is told from here on is between turns, also while somebody holds this one
    if (isTerminal(event)) turnId = null;
  }

  /** For a reader that comes now. Word of what was lost, and what was not, are as much as may wait for it. */
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
