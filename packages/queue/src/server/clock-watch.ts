import type { Clock } from "@unroll/flow";
import type { QueueSpans, ServerAccess } from "./server-access.ts";

/** This machine's clock beside that of the queue's server. */
export interface ClockWatch {
  /** By the last look. */
  readonly isRight: boolean;
  /**
   * Compares the clocks, and repairs what a wrong one wrote. Returns why no task may run; null: nothing is against it. Rejects if the server
   * does not answer.
   */
  check(queueNames: readonly string[]): Promise<string | null>;
}

/** The clocks may differ by this part of the lock: 10 s of 30. */
const mostPart = 1 / 3;

export function createClockWatch(
  server: Pick<ServerAccess, "readTime" | "repairTimes">,
  clock: Pick<Clock, "now" | "elapsed">,
  spans: QueueSpans,
): ClockWatch {
  let isRight = true;
  return {
    get isRight() {
      return isRight;
    },
    async check(queueNames) {
      const before = clock.elapsed();
      const time = await server.readTime();
      const tookMs = clock.elapsed() - before;
      const aheadMs = clock.now() - tookMs / 2 - time;
      for (const name of queueNames) await server.repairTimes(name, spans).catch(() => {});
      isRight = Math.abs(aheadMs) - tookMs < spans.lockMs * mostPart;
      if (isRight) return null;
      const differs = `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? "ahead of" : "behind"}`;
      return `This machine's clock is ${differs} that of the queue's server. Set both clocks (NTP), then start the worker again.`;
    },
  };
}
