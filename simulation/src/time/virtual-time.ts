import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";

/** Thrown where everything waits, and nothing is left that could come. */
class StandstillError extends Error {}

/** Time that passes only when nothing is left to do: a simulated hour takes as long as what happens in it. */
export interface VirtualTime {
  /** Ms since the simulation began; never runs backwards. */
  readonly elapsed: number;
  /**
   * Runs `run` after `ms`, unless the returned function is called before. If two are due at the same time, the one set
   * first runs first.
   */
  set(ms: number, run: () => void): () => void;
  /** Lets time pass until the work is over. Throws `StandstillError`. */
  drive<Value>(work: Promise<Value>): Promise<Value>;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** How long, in ms of real time, a module may take to load before it counts as certain that nothing comes: nothing waits for it but a bug. */
const longestLoadMs = 120_000;

export function createVirtualTime(): VirtualTime {
  let elapsed = 0;
  const timers: Timer[] = [];

  function set(ms: number, run: () => void): () => void {
    const timer: Timer = { at: elapsed + Math.max(0, ms), run };
    const later = timers.findIndex(({ at }) => at > timer.at);
    timers.splice(later === -1 ? timers.length : later, 0, timer);
    return () => {
      const at = timers.indexOf(timer);
      if (at !== -1) timers.splice(at, 1);
    };
  }

  async function drive<Value>(work: Promise<Value>): Promise<Value> {
    const state = { isOver: false };
    const end = (): void => void (state.isOver = true);
    work.then(end, end);
    let idleSince: number | null = null;
    for (;;) {
      await nextTurn(); // by now, everything that can continue without time has continued
      if (state.isOver) return work;
      if (waitsForDisk()) continue;
      const timer = timers.shift();
      if (timer === undefined) {
        idleSince ??= performance.now();
        if (performance.now() - idleSince > longestLoadMs)
          throw new StandstillError("Everything waits, and nothing will come.");
        await delay(1);
        continue;
      }
      idleSince = null;
      elapsed = timer.at;
      timer.run();
    }
  }

  return {
    get elapsed() {
      return elapsed;
    },
    set,
    drive,
  };
}

/** A module that is loaded for the first time. Nothing else in a simulation reads the real disk. */
function waitsForDisk(): boolean {
  return process.getActiveResourcesInfo().some((kind) => kind.startsWith("FSReq"));
}
