import { ServerFault } from "../fault/server-fault.ts";

/**
 * Runs its handler after every signal, never twice at the same time. Signals during a run cause one
 * more run.
 */
export interface ChangeSignal {
  readonly signal: () => void;
  /** Sets the handler. An earlier signal runs it now. */
  readonly handle: (handler: () => Promise<void>) => void;
  /** Resolves when the handler has run after every signal so far. */
  readonly idle: () => Promise<void>;
}

/** Ignores a `ServerFault` of the handler: the server will send another signal. */
export function createChangeSignal(): ChangeSignal {
  let handler: (() => Promise<void>) | null = null;
  let isWanted = false;
  let running: Promise<void> | null = null;

  async function run(next: () => Promise<void>): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await next().catch((error: unknown) => {
        if (!(error instanceof ServerFault)) throw error;
      });
    }
    running = null;
  }

  function start(): void {
    if (handler !== null && isWanted) running ??= run(handler);
  }

  return {
    signal() {
      isWanted = true;
      start();
    },
    handle(next) {
      handler = next;
      start();
    },
    async idle() {
      await running;
    },
  };
}
