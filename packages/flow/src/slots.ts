/** A bounded number of places; work that finds none waits in order of arrival. */
export interface Slots {
  /** Resolves with a place. Disposing it frees the place, once. */
  readonly take: () => Promise<Disposable>;
}

/** `count`: how many places there are. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let taken = 0;

  function free(): void {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else next(); // it has this place
  }

  return {
    async take() {
      if (taken === count) await new Promise<void>((resolve) => waiting.push(resolve));
      else taken += 1;
      let isTaken = true;
      return {
        [Symbol.dispose]() {
          if (isTaken) free();
          isTaken = false;
        },
      };
    },
  };
}
