import { startPatience } from "../wait/start-patience.ts";

/** Lets one loop sleep until anything has happened. */
export interface Wakeup {
  readonly wake: () => void;
  /** True: woken. False: `limitMs` passed first, and everything that had arrived was read. Null: no limit. */
  readonly wait: (limitMs: number | null) => Promise<boolean>;
}

export function createWakeup(): Wakeup {
  let next = Promise.withResolvers<boolean>();

  function settle(isWoken: boolean): void {
    next.resolve(isWoken);
    next = Promise.withResolvers<boolean>();
  }

  return {
    wake: () => settle(true),
    async wait(limitMs) {
      const cancel = limitMs === null ? null : startPatience(limitMs, () => settle(false));
      try {
        return await next.promise;
      } finally {
        cancel?.();
      }
    },
  };
}
