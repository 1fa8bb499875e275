import { typeOn, type UnsentText } from "./unsent-text.ts";

/** What is typed at the terminal of a command, which may not be there yet. */
export interface Keyboard {
  /** What was typed since the last line was sent. */
  readonly unsent: UnsentText;
  /** Resolves when it is written. */
  readonly type: (text: string) => Promise<void>;
  /** The terminal is there. */
  readonly open: (write: (text: string) => void) => void;
  /** The command has ended, or never gets a terminal: what is typed goes nowhere. */
  readonly close: () => void;
}

export function createKeyboard(): Keyboard {
  const terminal = Promise.withResolvers<(text: string) => void>();
  let unsent: UnsentText = [];
  let isClosed = false;
  return {
    get unsent() {
      return unsent;
    },
    async type(text) {
      unsent = typeOn(unsent, text);
      const write = await terminal.promise;
      if (!isClosed) write(text);
    },
    open: terminal.resolve,
    close() {
      isClosed = true;
      terminal.resolve(() => {});
    },
  };
}
