import { ServerFault } from "../fault/server-fault.ts";

/** Runs its handler after every signal, never twice at a time: signals that come while it runs make it run once more. */
export interface ChangeSignal {
  readonly signal: () => void;
  /** Sets the handler. A signal that came before makes it run now. */
  readonly handle: (handler: () => Promise<void>) => void;
}

/** A `ServerFault` of the handler is passed over: the next signal comes when the server has something to say. */
export function createChangeSignal(): ChangeSignal {
  let handler: (() => Promise<void>) | null = null;
  let isWanted = false;
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning || handler === null) return;
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await handler().catch((error: unknown) => {
        if (!(error instanceof ServerFault)) throw error;
      });
    }
    isRunning = false;
  }

  return {
    signal() {
      isWanted = true;
      void run();
    },
    handle(next) {
      handler = next;
      void run();
    },
  };
}
