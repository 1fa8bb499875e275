/** Merges what several tools tell, in the order in which they tell it, into one stream that one consumer pulls. */
export interface EventQueue<Event> {
  /** Adds at once; resolves when the consumer has caught up. After `close`, or when the consumer left, it is dropped. */
  readonly push: (event: Event) => Promise<void>;
  /** Ends `events` after what is already in it. */
  readonly close: () => void;
  /** To be iterated once. Leaving it early closes the queue. */
  readonly events: () => AsyncGenerator<Event, void>;
}

/** `capacity`: how many events may wait for the consumer before writers wait too. */
export function createEventQueue<Event>(capacity: number): EventQueue<Event> {
  const waiting: Event[] = [];
  let closed = false;
  let change = Promise.withResolvers<void>();

  function announce(): void {
    change.resolve();
    change = Promise.withResolvers<void>();
  }

  function close(): void {
    closed = true;
    announce();
  }

  async function push(event: Event): Promise<void> {
    if (closed) return;
    waiting.push(event);
    announce();
    await hasRoom();
  }

  async function hasRoom(): Promise<void> {
    while (!closed && waiting.length > capacity) await change.promise;
  }

  async function* events(): AsyncGenerator<Event, void> {
    try {
      while (!closed || waiting.length > 0) {
        if (waiting.length === 0) await change.promise;
        const batch = waiting.splice(0);
        announce();
        yield* batch;
      }
    } finally {
      close();
    }
  }

  return { push, close, events };
}
