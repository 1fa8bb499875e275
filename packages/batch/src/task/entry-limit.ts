/** Lets some in at once; the others wait in their order. */
export interface EntryLimit {
  /** Disposing it lets the next one in, once. */
  enter(): Promise<Disposable>;
}

export function createEntryLimit(most: number): EntryLimit {
  const waiting: (() => void)[] = [];
  let inside = 0;

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) inside -= 1;
    else next();
  }

  return {
    async enter() {
      if (inside < most) inside += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let isInside = true;
      return {
        [Symbol.dispose]() {
          if (isInside) leave();
          isInside = false;
        },
      };
    },
  };
}
