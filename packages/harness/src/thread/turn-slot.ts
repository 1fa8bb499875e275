import { noTokenUsage, type ThreadEvent, type TurnOutcome } from "@unroll/protocol";
import { HarnessError } from "../harness-error.ts";
import type { ThreadEnd } from "./thread-end.ts";

/** The one turn that a thread runs at a time. */
export interface TurnSlot {
  /** Runs a turn. Throws `HarnessError` where the thread is closed (`closed`) or another turn runs (`thread_busy`). */
  run(begin: () => AsyncGenerator<ThreadEvent, TurnOutcome>): AsyncGenerator<ThreadEvent, TurnOutcome>;
  /** Does something that no turn may run beside, and that is no turn. Throws what `run` throws. */
  hold<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Ends the turn that runs, and waits for it, or for what is done in the place of one. */
  stop(): Promise<void>;
}

const interrupted: TurnOutcome = { type: "interrupted", usage: noTokenUsage };

export function createTurnSlot(end: Pick<ThreadEnd, "checkOpen" | "isClosing">): TurnSlot {
  let running: AsyncGenerator<ThreadEvent, TurnOutcome> | null = null;
  let held: Promise<unknown> | null = null;

  function checkFree(): void {
    end.checkOpen();
    if (running !== null || held !== null)
      throw new HarnessError("thread_busy", "A turn is running in this thread: wait for its end, or send.");
  }

  return {
    async hold(work) {
      checkFree();
      const holding = work();
      held = holding;
      try {
        return await holding;
      } finally {
        held = null;
      }
    },
    async *run(begin) {
      checkFree();
      try {
        const outcome = yield* (running = begin());
        return end.isClosing ? interrupted : outcome;
      } finally {
        running = null;
      }
    },
    async stop() {
      await held?.catch(() => {}); // told by who began it
      await running?.return(interrupted);
    },
  };
}
