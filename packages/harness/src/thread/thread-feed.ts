import { createAside, createBroadcast } from "@unroll/flow";
import type { NumberedEvent, ThreadEvent, TurnOutcome } from "@unroll/protocol";

/** All that a thread tells: to whoever runs its turns, and to every reader of `thread.events()`. */
export interface ThreadFeed {
  /** Something that happened beside a turn, or between turns: readers hear of it at once, who runs a turn with its next event. */
  tell(event: ThreadEvent): void;
  /**
   * The events of a turn as they are told, with those beside it in between and none behind the terminal one. What
   * was told since the turn before comes first.
   */
  tellTurn(turnId: string, turn: AsyncGenerator<ThreadEvent, TurnOutcome>): AsyncGenerator<ThreadEvent, TurnOutcome>;
  /** As of `Thread.events`. */
  read(options?: { readonly signal?: AbortSignal }): AsyncGenerator<NumberedEvent, void>;
  /** Ends the readers after what waits for them. */
  close(): void;
}

/** How many events may wait for one reader, and for the consumer of the next turn. */
const capacity = 10_000;

export function createThreadFeed(threadId: string): ThreadFeed {
  let turnId: string | null = null;
  let seq = 0;
  /** What is told before the first turn goes to every reader that comes before it: nobody can come earlier. */
  let opening: NumberedEvent[] | null = [];
  const skip = (count: number): ThreadEvent => ({ type: "events.skipped", count });
  const number = (event: ThreadEvent): NumberedEvent => ({ threadId, turnId, seq, event });
  const broadcast = createBroadcast<NumberedEvent>({ capacity, onSkipped: (count) => number(skip(count)) });
  const aside = createAside<ThreadEvent>({ capacity, onSkipped: skip });

  function publish(event: ThreadEvent): void {
    const numbered = number(event);
    seq += 1;
    opening?.push(numbered);
    broadcast.publish(numbered);
  }

  return {
    tell(event) {
      publish(event);
      aside.push(event);
    },
    async *tellTurn(id, turn) {
      opening = null;
      turnId = id;
      try {
        return yield* aside.join(turn, publish);
      } finally {
        turnId = null;
      }
    },
    read(options) {
      const values = broadcast.read(options);
      return opening === null ? values : replay([...opening], values);
    },
    close: () => broadcast.close(),
  };
}

async function* replay<Value>(first: readonly Value[], then: AsyncGenerator<Value, void>): AsyncGenerator<Value, void> {
  try {
    yield* first;
    yield* then;
  } finally {
    await then.return();
  }
}
