import type { Clock } from "@unroll/flow";
import type { ProcessIo } from "@unroll/program";

/** The process's time, with timers of this process. What has come when one is due is read before it runs: it may be we who are late. */
export function createProgramClock(io: Pick<ProcessIo, "now" | "elapsed" | "sleep">): Clock {
  return {
    now: () => io.now(),
    elapsed: () => io.elapsed(),
    sleep: (ms, signal) => io.sleep(ms, signal),
    setTimer(ms, run) {
      if (ms <= 0) return soon(run);
      const timer = setTimeout(() => (cancel = soon(run)), ms);
      let cancel = (): void => clearTimeout(timer);
      return () => cancel();
    },
  };
}

/** A timer of 0 ms would be one of 1, and wake the process for it. */
function soon(run: () => void): () => void {
  const immediate = setImmediate(run);
  return () => clearImmediate(immediate);
}
