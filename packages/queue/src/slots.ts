/** Runs a bounded number of jobs at once; the others wait. */
export interface Slots {
  run<Value>(work: () => Promise<Value>): Promise<Value>;
}

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async run(work) {
      if (taken === count) await new Promise<void>((resolve) => waiting.push(resolve));
      else taken += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) taken -= 1;
        else next(); // it has this place
      }
    },
  };
}
