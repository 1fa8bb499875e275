import { type Clock, untilAborted } from "@unroll/flow";

/** How a wait ended: `message`: a person said something. */
type WaitEnd = "met" | "late" | "message" | "aborted";

/** Waits for something that changes. */
export interface Waits {
  /** Something changed: all that wait look again. */
  notify(): void;
  /** A person said something. */
  onMessage(): void;
  /** Waits until it is so. `timeoutMs`: absent or null: without a limit. */
  until(isMet: () => boolean, options: WaitOptions): Promise<WaitEnd>;
}

interface WaitOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | null;
  /** Absent: a message ends the wait. */
  readonly ignoresMessages?: boolean;
}

/** `rest`: called when a wait begins; what it returns, when the wait ends. */
export function createWaits(clock: Pick<Clock, "setTimer">, rest: () => () => void): Waits {
  let change = Promise.withResolvers<void>();
  let messages = 0;

  function notify(): void {
    change.resolve();
    change = Promise.withResolvers();
  }

  async function until(
    isMet: () => boolean,
    { signal, timeoutMs = null, ignoresMessages = false }: WaitOptions,
  ): Promise<WaitEnd> {
    const before = messages;
    let isLate = timeoutMs === 0;
    const onLate = (): void => {
      isLate = true;
      notify();
    };
    const stopTimer = timeoutMs ? clock.setTimer(timeoutMs, onLate) : null;
    const wake = rest();
    try {
      for (;;) {
        if (isMet()) return "met";
        if (signal.aborted) return "aborted";
        if (isLate) return "late";
        if (!ignoresMessages && messages !== before) return "message";
        await untilAborted(change.promise, signal);
      }
    } finally {
      wake();
      stopTimer?.();
    }
  }

  return {
    notify,
    until,
    onMessage() {
      messages += 1;
      notify();
    },
  };
}
