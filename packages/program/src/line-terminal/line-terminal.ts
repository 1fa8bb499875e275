import { createSerialQueue, untilAborted } from "@unroll/flow";
import type { TerminalSize } from "@unroll/protocol";
import { foldText } from "@unroll/text";
import { createLineWriter } from "../io/line-writer.ts";
import type { ProcessIo } from "../io/process-io.ts";
import { type LineInput, type LineListener, type LineOptions, openLineInput } from "./line-input.ts";

/** You at the other end of stdin and stderr, line by line. */
export interface LineTerminal extends Disposable, Pick<LineInput, "isTyped" | "lend"> {
  /** Runs a dialog, behind those that came before it. Rejects with the signal's reason as soon as that aborts. */
  alone<Result>(run: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** How much can be seen at once; null: nobody looks, a script's lines answer. */
  size(): TerminalSize | null;
  /** Text of the program, for a dialog: in rows that fit. */
  say(text: string): void;
  /** Rows that fit already, as they are. */
  sayRows(rows: readonly string[]): void;
  /** Prints a message: waits while a dialog is open, and appears above a line that is being typed. */
  tell(text: string): Promise<void>;
  /** The next line; null when you left (^C, ^D), the input ended, or `signal` aborted. */
  ask(question: string, options: LineOptions): Promise<string | null>;
  /**
   * Like `ask`, but accepts only input typed after the question was shown: it drops earlier input, and a line that
   * arrived in one burst with more. Where a script answers it is `ask`.
   */
  askFresh(question: string, options: LineOptions): Promise<string | null>;
  /** ^C, and lines that nobody asked for. One listener at a time. */
  listen(listener: LineListener): void;
}

/** No key for this long, in ms: what was typed before the question has all come in. Reading it takes longer. */
const quietMs = 150;
/** Input this soon after a line, in ms, was not typed by hand. */
const burstMs = 40;
const assumedSize: TerminalSize = { columns: 80, rows: 24 };

/** Reads stdin, and writes to stderr. Without a terminal, lines of a script answer. */
export function openLineTerminal(io: Pick<ProcessIo, "stdin" | "stderr" | "sleep">): LineTerminal {
  const { stderr } = io;
  const input = openLineInput(io);
  const waiting: string[] = [];
  const dialogs = createSerialQueue();
  let openDialogs = 0;
  const writer = createLineWriter(stderr.stream, { stopped: new AbortController().signal, onBroken: () => {} });
  const size = (): TerminalSize | null => (input.isTyped ? (stderr.size() ?? assumedSize) : null);
  /** The cursor has a cell of its own. */
  const fold = (text: string): string => foldText(text, (size()?.columns ?? Infinity) - 1);
  const say = (text: string): void => void input.writeAbove(() => stderr.stream.write(`${fold(text)}\n`));

  async function write(text: string): Promise<void> {
    if (text !== "") await input.writeAbove(() => writer.write(text));
  }

  async function dropTypedAhead(signal: AbortSignal): Promise<void> {
    let keys: number;
    do {
      keys = input.countKeys();
      await io.sleep(quietMs, signal);
    } while (input.countKeys() !== keys && !signal.aborted && !input.isClosed());
    input.clear();
  }

  async function askFresh(question: string, options: LineOptions): Promise<string | null> {
    using left = dropLines(input);
    for (;;) {
      await dropTypedAhead(options.signal);
      const line = left.is() ? null : await input.ask(fold(question), options);
      if (line === null) return null;
      await io.sleep(burstMs, options.signal);
      if (left.is()) return null;
      if (input.countKeys() === input.countKeysAtLine()) return line;
      say("  This looks like pasted text, so it does not count as an answer.");
    }
  }

  /** Lets earlier messages appear before a question: waits only for writes that are already under way. */
  const letTold = (signal: AbortSignal): Promise<void> => io.sleep(0, signal);

  async function alone<Result>(run: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await letTold(signal);
    openDialogs += 1;
    const done = dialogs.run(async () => {
      try {
        return signal.aborted ? null : { result: await run() };
      } finally {
        openDialogs -= 1;
        if (openDialogs === 0) write(waiting.splice(0).join("")).catch(() => {}); // output that breaks ends the program by its own event
      }
    });
    const ended = await untilAborted(done, signal);
    if (ended === null) throw signal.reason;
    return ended.result;
  }

  return {
    isTyped: input.isTyped,
    lend: (run) => input.lend(run),
    size,
    say,
    sayRows: (rows) => void stderr.stream.write(rows.map((row) => `${row}\n`).join("")),
    async tell(text) {
      if (openDialogs === 0) return write(text);
      waiting.push(text);
      return dialogs.idle();
    },
    async ask(question, options) {
      const early = await keepLine(input, () => letTold(options.signal));
      return options.isPrompt === true && early !== null ? early : input.ask(fold(question), options);
    },
    askFresh: (question, options) => (input.isTyped ? askFresh(question, options) : input.ask(question, options)),
    listen: (listener) => void input.listen(listener),
    alone,
    [Symbol.dispose]: () => input[Symbol.dispose](),
  };
}

/** The first line that comes while something is waited for, and that nobody asked for; null: none. */
async function keepLine(input: LineInput, wait: () => Promise<void>): Promise<string | null> {
  let kept: string | null = null;
  const before = input.listen({ line: (text) => void (kept ??= text), interrupt: () => before.interrupt() });
  await wait();
  input.listen(before);
  return kept;
}

/** Until it is disposed, lines that nobody asked for are thrown away. `is`: whether you wanted to leave meanwhile. */
function dropLines(input: LineInput): Disposable & { is(): boolean } {
  let isLeft = false;
  const before = input.listen({
    line: () => {},
    interrupt() {
      isLeft = true;
      before.interrupt();
    },
  });
  return { is: () => isLeft, [Symbol.dispose]: () => void input.listen(before) };
}
