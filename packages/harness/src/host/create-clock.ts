import type { Clock } from "@unroll/flow";
import type { Host } from "./host.ts";

/** The host's time as a `Clock`. */
export function createClock({ now, elapsed, timers }: Pick<Host, "now" | "elapsed" | "timers">): Clock {
  return { now, elapsed, ...(timers ?? createTimers()) };
}

function createTimers(): Pick<Clock, "sleep" | "setTimer"> {
  return {
    // timers/promises would create an error for each abort.
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        signal.addEventListener("abort", end);
      }),
    setTimer(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}
