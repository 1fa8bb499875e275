import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { openTerminal, type Terminal } from "../src/plain/terminal.ts";

/** A terminal with a person at it, whose keys come when the test says so. Time passes as soon as nothing is left to read. */
export interface FakeTerminal extends Disposable {
  readonly terminal: Terminal;
  /** All that was written, without what moves the cursor. */
  readonly text: () => string;
  /** Keys, in one go. */
  type(keys: string): void;
  /** Resolves when the text stands on the screen `times` times. */
  shows(text: string, times?: number): Promise<void>;
  /** Types each line when its question stands there. */
  answer(...answers: readonly (readonly [question: string, line: string])[]): Promise<void>;
}

export function openFakeTerminal({ columns = 80, rows = 24 } = {}): FakeTerminal {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  let written = "";
  const looking = new Set<() => void>();
  stderr.setEncoding("utf8").on("data", (text: string) => {
    // oxlint-disable-next-line no-control-regex -- what readline writes to move the cursor
    written += text.replaceAll(/\u001b\[\d*[A-Za-z]/g, "");
    for (const look of looking) look();
  });
  const terminal = openTerminal({
    stdin: { stream: stdin, kind: "terminal" },
    stderr: { stream: stderr, isTerminal: true, size: () => ({ columns, rows }) },
    sleep: async () => {
      for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    },
  });

  async function shows(text: string, times = 1): Promise<void> {
    const found = Promise.withResolvers<void>();
    const look = (): void => (written.split(text).length > times ? found.resolve() : undefined);
    looking.add(look);
    look();
    await found.promise;
    looking.delete(look);
  }

  return {
    terminal,
    text: () => written,
    type: (keys) => void stdin.write(keys),
    shows,
    async answer(...answers) {
      const seen = new Map<string, number>();
      for (const [question, line] of answers) {
        const times = (seen.get(question) ?? 0) + 1;
        seen.set(question, times);
        await shows(question, times);
        stdin.write(`${line}\r`);
      }
    },
    [Symbol.dispose]: () => terminal[Symbol.dispose](),
  };
}
