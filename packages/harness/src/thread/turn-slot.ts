import { noTokenUsage, type ThreadEvent, type TurnOutcome } from "@unroll/protocol";
import { HarnessError } from "../harness-error.ts";
import type { ThreadEnd } from "./thread-end.ts";

/** The one turn that a thread runs at a time. */
export interface TurnSlot {
  /** Runs a turn. Throws `HarnessError` where the thread is closed (`closed`) or another turn runs (`thread_busy`). */
  run(begin: () => AsyncGenerator<ThreadEvent, TurnOutcome>): AsyncGenerator<ThreadEvent, TurnOutcome>;
  /** Throws what `run` throws. */
  checkFree(): void;
  /** Ends the turn that runs, and waits for it. */
  stop(): Promise<void>;
}

const interrupted: TurnOutcome = { type: "interrupted", usage: noTokenUsage };

export function createTurnSlot(end: Pick<ThreadEnd, "checkOpen" | "isClosing">): TurnSlot {
  let running: AsyncGenerator<ThreadEvent, TurnOutcome> | null = null;

  function checkFree(): void {
    end.checkOpen();
    if (running !== null)
      throw new HarnessError("thread_busy", "A turn is running in this thread: wait for its end, or send.");
  }

  return {
    checkFree,
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
      await running?.return(interrupted);
    },
  };
}
