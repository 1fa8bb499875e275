import { createInterface } from "node:readline";
import type { ProcessIo } from "@unroll/exec";

/** The person at the other end of stdin and stderr, line by line. */
export interface Terminal extends Disposable {
  say(text: string): void;
  /** The next line that is typed; null when the person left (^D, or the input ended) or `signal` aborted. */
  ask(question: string, options: AskOptions): Promise<string | null>;
  /** ^C, and lines that nobody asked for. One listener at a time. */
  listen(listener: TerminalListener): void;
}

interface AskOptions {
  readonly signal: AbortSignal;
  /** Stands in the line already, to be edited; taken for an empty answer where there is no terminal. */
  readonly prefill?: string;
}

interface TerminalListener {
  interrupt(): void;
  line(text: string): void;
}

interface Waiting {
  readonly prefill: string;
  readonly answer: (line: string | null) => void;
}

export function openTerminal({ stdin, stderr }: ProcessIo): Terminal {
  const isTerminal = stdin.kind === "terminal";
  const lines = createInterface({ input: stdin.stream, output: stderr.stream, terminal: isTerminal });
  const early: string[] = [];
  let waiting: Waiting | null = null;
  let listener: TerminalListener = { interrupt: () => {}, line: () => {} };
  let isClosed = false;

  function settle(line: string | null): void {
    const asked = waiting;
    waiting = null;
    asked?.answer(line === "" && !isTerminal ? asked.prefill : line);
  }

  lines.on("line", (line) => {
    if (waiting) settle(line);
    else if (isTerminal) listener.line(line);
    else early.push(line); // a script: its lines answer in order
  });
  lines.on("SIGINT", () => (waiting ? settle(null) : undefined, listener.interrupt()));
  lines.on("close", () => {
    isClosed = true;
    settle(null);
  });

  return {
    say: (text) => void stderr.stream.write(`${text}\n`),
    listen: (next) => void (listener = next),
    async ask(question, { signal, prefill = "" }) {
      const ready = early.shift();
      if (ready !== undefined) return ready === "" ? prefill : ready;
      if (isClosed || signal.aborted) return null;
      const answered = Promise.withResolvers<string | null>();
      waiting = { prefill, answer: answered.resolve };
      const abort = (): void => settle(null);
      signal.addEventListener("abort", abort, { once: true });
      lines.setPrompt(question);
      lines.prompt();
      if (isTerminal && prefill !== "") lines.write(prefill);
      try {
        return await answered.promise;
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
    [Symbol.dispose]: () => lines.close(),
  };
}
