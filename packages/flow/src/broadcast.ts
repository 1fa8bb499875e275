/** One writer, many readers, each at its own pace. */
export interface Broadcast<Value> {
  /** Never waits: a reader that is slow loses values instead. After `close` it is dropped. */
  readonly publish: (value: Value) => void;
  /**
   * Reads values published from this call on, until `close` or the abort of `signal` (absent:
   * never), after `first` (absent: none). Leaving early, even before the first value, frees it; an
   * abort drops values not read yet.
   */
  readonly read: (options?: ReadOptions<Value>) => AsyncGenerator<Value, void>;
  /** Ends every reader after its waiting values. Later readers get nothing. */
  readonly close: () => void;
}

interface ReadOptions<Value> {
  readonly signal?: AbortSignal;
  readonly first?: readonly Value[];
}

/** How values are handled that a slow reader does not take. */
export interface BroadcastOptions<Value> {
  /** How many values may wait for one reader; over that it loses the oldest. At least 1. */
  readonly capacity: number;
  /** The value for a reader that replaces `count` lost ones; `next` is the first one after them. */
  readonly onSkipped: (count: number, next: Value) => Value;
}

/** One source of values for any number of readers, each at its own pace; who falls `capacity` behind loses the oldest. */
export function createBroadcast<Value>(options: BroadcastOptions<Value>): Broadcast<Value> {
  const readers = new Set<Reader<Value>>();
  let isClosed = false;

  return {
    publish(value) {
      if (!isClosed) for (const reader of readers) reader.push(value);
    },
    read({ signal, first = [] } = {}) {
      const reader = createReader(options);
      for (const value of first) reader.push(value);
      function leave(): void {
        readers.delete(reader);
        signal?.removeEventListener("abort", leave);
        reader.leave();
      }
      if (isClosed || signal?.aborted === true) {
        reader.end();
      } else {
        readers.add(reader);
        signal?.addEventListener("abort", leave);
      }
      return leaveOnReturn(reader.values(leave), leave);
    },
    close() {
      isClosed = true;
      for (const reader of readers) reader.end();
    },
  };
}

interface Reader<Value> {
  push(value: Value): void;
  /** Nothing more comes. */
  end(): void;
  /** Nothing more is wanted. */
  leave(): void;
  /** Calls `onEnd` when it comes to its end. */
  values(onEnd: () => void): AsyncGenerator<Value, void>;
}

function createReader<Value>({ capacity, onSkipped }: BroadcastOptions<Value>): Reader<Value> {
  const waiting: { readonly value: Value }[] = [];
  let skipped = 0;
  let isOver = false;
  let wake = (): void => {};

  /** The lost ones were older than all that wait: word of them comes first. */
  function take(): { readonly value: Value } | null {
    const [next] = waiting;
    if (skipped === 0 || next === undefined) return waiting.shift() ?? null;
    const count = skipped;
    skipped = 0;
    return { value: onSkipped(count, next.value) };
  }

  function end(): void {
    isOver = true;
    wake();
  }

  return {
    push(value) {
      waiting.push({ value });
      if (waiting.length > capacity) {
        waiting.shift();
        skipped += 1;
      }
      wake();
    },
    end,
    leave() {
      waiting.length = 0;
      skipped = 0;
      end();
    },
    async *values(onEnd) {
      try {
        for (;;) {
          const next = take();
          if (next !== null) yield next.value;
          else if (isOver) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        onEnd();
      }
    },
  };
}

/** A generator that was never pulled runs no `finally`, and one that waits hears of `return` too late: so `leave` comes first. */
function leaveOnReturn<Value>(values: AsyncGenerator<Value, void>, leave: () => void): AsyncGenerator<Value, void> {
  const finish = values.return.bind(values);
  return Object.assign(values, {
    return: (value: void | PromiseLike<void>) => {
      leave();
      return finish(value);
    },
  });
}
