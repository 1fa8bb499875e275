import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "@unroll/flow";
import type { HostEnvironment } from "./host-environment.ts";

/** The host's time. */
export function createClock({ now, elapsed, timers }: Pick<HostEnvironment, "now" | "elapsed" | "timers">): Clock {
  return { now, elapsed, ...(timers ?? createTimers()) };
}

function createTimers(): Pick<Clock, "sleep" | "setTimer"> {
  return {
    sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    setTimer(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}
