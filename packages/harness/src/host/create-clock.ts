import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "@unroll/flow";
import type { HostEnvironment } from "./host-environment.ts";

/** The host's time, with timers of this process. */
export function createClock({ now, elapsed }: Pick<HostEnvironment, "now" | "elapsed">): Clock {
  return {
    now,
    elapsed,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    setTimer(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}
