import { ServerFault } from "../fault/server-fault.ts";

/** Runs its handler after every signal, never twice at a time: signals that come while it runs make it run once more. */
export interface ChangeSignal {
  readonly signal: () => void;
  /** Sets the handler. A signal that came before makes it run now. */
  readonly handle: (handler: () => Promise<void>) => void;
  /** Resolves when the handler has run after every signal of by now. */
  readonly idle: () => Promise<void>;
}

/** A `ServerFault` of the handler is passed over: the next signal comes when the server has something to say. */
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
