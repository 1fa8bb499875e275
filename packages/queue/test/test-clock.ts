import { setTimeout as wait } from "node:timers/promises";
import type { WorkerOptions } from "@unroll/queue";

/** The machine's clock: locks are measured by the servers. */
export const clock: WorkerOptions["clock"] = {
  now: Date.now,
  elapsed: () => performance.now(),
  async sleep(ms, signal) {
    await wait(ms, undefined, { signal }).catch(() => {});
  },
  setTimer(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
