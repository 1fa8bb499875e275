import { type Clock, untilAborted } from "@unroll/flow";
import { isOverload, isUsedUp, type ThreadEvent, type TurnError } from "@unroll/protocol";

/** Why no task sends a request now. */
export interface BatchPause {
  readonly reason: "rate_limit" | "provider_down";
  /** The provider's error, for users. */
  readonly message: string;
  /** In ms, until one task tries again. */
  readonly delayMs: number;
}

/** One gate in front of the requests of all tasks: what stops one of them, stops all of them. */
export interface ProviderGate {
  /** Waits while the gate is closed. When the pause is over, one task tries first. */
  pass(task: string, signal: AbortSignal): Promise<void>;
  see(task: string, event: ThreadEvent): void;
  /** Closes the gate for an error that every task would get; returns whether the error is one. */
  close(error: TurnError): boolean;
  /** A task that tried first and never got an answer lets another one try. */
  leave(task: string): void;
}

const firstDelayMs = 5_000;
const longestDelayMs = 60_000;

const downCodes: ReadonlySet<string> = new Set([
  "connection_failed",
  "connect_timeout",
  "first_byte_timeout",
  "server_not_ready",
  "stream_cut",
  "idle_timeout",
]);

/** Errors that no wait repairs and every task would get: the batch ends, and what is left stays for the next start. */
export function isFinal({ code }: TurnError): boolean {
  return (
    isUsedUp({ code }) ||
    ["unauthorized", "invalid_api_key", "missing_credential", "http_401", "unknown_price"].includes(code)
  );
}

function findReason({ code }: TurnError): BatchPause["reason"] | null {
  if (isOverload({ code }) || code === "http_429") return "rate_limit";
  return downCodes.has(code) || /^http_5\d\d$/.test(code) ? "provider_down" : null;
}

/** An open gate. `tell` hears of each pause, and of its end by null. */
export function createProviderGate(
  clock: Pick<Clock, "elapsed" | "sleep">,
  tell: (pause: BatchPause | null) => void,
): ProviderGate {
  let closedUntil = 0;
  let closings = 0;
  let pauses = 0;
  /** Each task's request was sent after so many pauses: an answer to one from before a pause does not end it. */
  const sentIn = new Map<string, number>();
  let tester: string | null = null;
  let change = Promise.withResolvers<void>();

  function announce(): void {
    change.resolve();
    change = Promise.withResolvers<void>();
  }

  function pause(reason: BatchPause["reason"], { message, delayMs }: Pick<BatchPause, "message" | "delayMs">): void {
    const now = clock.elapsed();
    const isNews = closings === 0 || now >= closedUntil;
    closedUntil = Math.max(closedUntil, now + delayMs);
    tester = null;
    if (!isNews) return; // several requests were under way, and each failed
    closings += 1;
    pauses += 1;
    tell({ reason, message, delayMs: Math.round(closedUntil - now) });
    announce();
  }

  function open(): void {
    if (closings === 0) return;
    closings = 0;
    closedUntil = 0;
    tester = null;
    tell(null);
    announce();
  }

  return {
    async pass(task, signal) {
      while (closings > 0 && tester !== task && !signal.aborted) {
        const left = closedUntil - clock.elapsed();
        if (left > 0) {
          await clock.sleep(left, signal);
        } else if (tester === null) {
          tester = task;
        } else {
          await untilAborted(change.promise, signal);
        }
      }
      sentIn.set(task, pauses);
    },
    see(task, event) {
      if (event.type === "request.completed" && sentIn.get(task) === pauses) open();
      if (event.type !== "stream.retrying") return;
      const { cause, delay_ms: delayMs } = event;
      if (findReason(cause) === "rate_limit") pause("rate_limit", { message: cause.message, delayMs });
      sentIn.set(task, pauses); // it is sent again
    },
    close(error) {
      const reason = findReason(error);
      if (reason === null) return false;
      const delayMs = Math.min(error.retry_after_ms ?? firstDelayMs * 2 ** closings, longestDelayMs);
      pause(reason, { message: error.message, delayMs });
      return true;
    },
    leave(task) {
      sentIn.delete(task);
      if (tester !== task) return;
      tester = null;
      announce();
    },
  };
}
