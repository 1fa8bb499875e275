/**
 * Values beside a generator, for the reader who pulls it: delivered at once, even while the
 * generator yields nothing.
 */
export interface Aside<Value> {
  /** Never waits. Values without a reader wait for the next `join`; beyond `capacity` the oldest are lost. */
  push(value: Value): void;
  /**
   * The generator's values mixed with the pushed ones, waiting ones first. Returns what the
   * generator returns; leaving early ends it. Values pushed after its last one wait for the next
   * call. `onValue` is called with each of the generator's own values right before it is yielded,
   * and with one that nobody reads any more. One call at a time.
   */
  join<Return>(
    generator: AsyncGenerator<Value, Return>,
    onValue: (value: Value) => void,
  ): AsyncGenerator<Value, Return>;
}

export interface AsideOptions<Value> {
  readonly capacity: number;
  /** Stands in for `count` values that were lost. */
  readonly onSkipped: (count: number) => Value;
  /** Whether nothing may come behind a value of a generator: it is known before the generator says that it has ended. */
  readonly isLast: (value: Value) => boolean;
}

/** A promise, of which can be asked whether it is settled. */
interface Watched<Settled> {
  /** Null: not yet. */
  readonly now:
    | { readonly type: "done"; readonly value: Settled }
    | { readonly type: "failed"; readonly error: unknown }
    | null;
}

/** Joins what happens beside a generator into its events. */
export function createAside<Value>({ capacity, onSkipped, isLast }: AsideOptions<Value>): Aside<Value> {
  let waiting: Value[] = [];
  let lost = 0;
  let wake = (): void => {};

  function take(): readonly Value[] {
    const taken = lost === 0 ? waiting : [onSkipped(lost), ...waiting];
    [waiting, lost] = [[], 0];
    return taken;
  }

  /** Notes how the promise settles, and wakes who waits. */
  function watch<Settled>(promise: Promise<Settled>): Watched<Settled> {
    const watched: { now: Watched<Settled>["now"] } = { now: null };
    const settle = (now: Watched<Settled>["now"]): void => {
      watched.now = now;
      wake();
    };
    promise.then(
      (value) => settle({ type: "done", value }),
      (error: unknown) => settle({ type: "failed", error }),
    );
    return watched;
  }

  return {
    push(value) {
      waiting.push(value);
      if (waiting.length > capacity) {
        waiting.shift();
        lost += 1;
      }
      wake();
    },
    async *join(generator, onValue) {
      let isOver = false;
      let asked: Watched<IteratorResult<Value, unknown>> | null = null;
      try {
        for (;;) {
          const pull = watch(generator.next());
          asked = pull;
          do {
            if (isOver || waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
            if (!isOver && waiting.length + lost > 0) yield* take();
          } while (pull.now === null);
          if (pull.now.type === "failed") throw pull.now.error;
          const next = pull.now.value;
          if (next.done === true) return next.value;
          isOver = isLast(next.value);
          asked = null;
          onValue(next.value);
          yield next.value;
        }
      } finally {
        await generator[Symbol.asyncDispose]();
        // The reader left at a pushed value, while the generator made one more of its own.
        if (asked?.now?.type === "done" && asked.now.value.done !== true) onValue(asked.now.value.value);
      }
    },
  };
}
