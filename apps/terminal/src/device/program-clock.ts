import type { Clock } from "@unroll/flow";
import type { ProcessIo } from "@unroll/program";

/** The process's time and timers. A due timer runs after pending input: we may be late ourselves, and the input may have been in time. */
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
