/** Work that must not overlap: each begins when what was given before it is over, however that ended. */
export interface OneByOne {
  /** Settles as the work does. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Resolves when all that was given so far is over. */
  readonly idle: () => Promise<void>;
}

/** Runs what it is given in order of arrival. */
export function createSerialQueue(): OneByOne {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const done = last.then(work);
      last = done.catch(() => {});
      return done;
    },
    idle: async () => void (await last),
  };
}
