import { startPatience } from "../wait/start-patience.ts";

/** Lets one loop sleep until something, whatever it is, has happened. */
export interface Wakeup {
  readonly wake: () => void;
  /** True when woken; false when `limitMs` went by first, and what had come by then was read. Null: there is no limit. */
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
