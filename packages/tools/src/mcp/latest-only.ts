/** Hands on the newest value when the last one has been taken, and drops those that came between. */
export interface LatestOnly<Value> {
  readonly push: (value: Value) => void;
  /** Resolves when nothing is being handed on. */
  readonly settle: () => Promise<void>;
}

export function createLatestOnly<Value>(take: (value: Value) => Promise<void>): LatestOnly<Value> {
  let waiting: readonly Value[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let value = waiting[0]; value !== undefined; value = waiting[0]) {
      waiting = [];
      await take(value);
    }
    working = undefined;
  }

  return {
    push(value) {
      waiting = [value];
      working ??= work();
    },
    settle: async () => working,
  };
}
