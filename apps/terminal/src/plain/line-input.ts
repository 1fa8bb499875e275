import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from "node:readline";
import type { ProcessIo } from "@unroll/program";

/** Lines from stdin, edited on stderr where a person types them. */
export interface LineInput extends Disposable {
  /** Whether a person types; else a script's lines answer in order. */
  readonly isTyped: boolean;
  /** The next line; null when the person left (^C, ^D), the input ended, or `signal` aborted. */
  ask(question: string, options: LineOptions): Promise<string | null>;
  /** Takes ^C, and typed lines that nobody asked for; returns who did before. */
  listen(listener: LineListener): LineListener;
  /** How many keys have come so far. */
  countKeys(): number;
  /** How many had come with the last line that was asked for, its Enter among them. */
  countKeysAtLine(): number;
  /** Takes back what stands in the line. */
  clear(): void;
  /** Lets something be written above the line that is asked for or typed, which stands below it again then. */
  writeAbove<Written>(write: () => Written): Written;
  isClosed(): boolean;
}

export interface LineOptions {
  readonly signal: AbortSignal;
  /** Stands in the line already, to be edited; taken for an empty answer where nobody types. */
  readonly prefill?: string;
  /** A line that is typed while the question comes up is its answer, too. */
  readonly takesEarly?: true;
}

export interface LineListener {
  interrupt(): void;
  line(text: string): void;
}

const nobody: LineListener = { interrupt: () => {}, line: () => {} };

export function openLineInput({ stdin, stderr }: Pick<ProcessIo, "stdin" | "stderr">): LineInput {
  const isTyped = stdin.kind === "terminal";
  const lines = createInterface({ input: stdin.stream, output: stderr.stream, terminal: isTyped, prompt: "" });
  const asked = createSlot();
  const early: string[] = [];
  let listener = nobody;
  let keys = 0;
  let keysAtLine = 0;
  let isClosed = false;

  stdin.stream.prependListener("keypress", () => (keys += 1)); // a key counts before the line that it ends
  lines.on("line", (line) => {
    if (asked.put(line)) keysAtLine = keys;
    else if (isTyped) listener.line(line);
    else early.push(line);
  });
  lines.on("SIGINT", () => {
    asked.put(null);
    listener.interrupt();
  });
  lines.on("close", () => {
    isClosed = true;
    asked.put(null);
  });

  async function readLine(question: string, { signal, prefill = "" }: LineOptions): Promise<string | null> {
    if (isClosed || signal.aborted) return null;
    lines.setPrompt(question);
    lines.prompt(true); // behind what was typed before
    if (isTyped && isEditable(prefill)) lines.write(prefill);
    const line = await asked.take(signal);
    if (line === null && isTyped) endLine();
    lines.setPrompt(""); // else the next redraw of the line would show a question that is no longer open
    return line;
  }

  /** What is written next stands on a line of its own, and nothing that was typed is left for the next question. */
  function endLine(): void {
    if (isClosed) return void stderr.stream.write("\n");
    const before = listener;
    listener = nobody;
    lines.write(null, { name: "return" });
    listener = before;
  }

  return {
    isTyped,
    async ask(question, options) {
      const line = early.shift() ?? (await readLine(question, options));
      return line === "" && !isTyped ? (options.prefill ?? "") : line;
    },
    listen(next) {
      const before = listener;
      listener = next;
      return before;
    },
    countKeys: () => keys,
    countKeysAtLine: () => keysAtLine,
    clear: () => clearLine(lines),
    writeAbove: (write) => (isTyped && !isClosed ? writeAbove(lines, { write, output: stderr.stream }) : write()),
    isClosed: () => isClosed,
    [Symbol.dispose]: () => lines.close(),
  };
}

function clearLine(lines: Interface): void {
  lines.setPrompt("");
  lines.write(null, { ctrl: true, name: "e" });
  lines.write(null, { ctrl: true, name: "u" });
}

function writeAbove<Written>(
  lines: Interface,
  { write, output }: { readonly write: () => Written; readonly output: NodeJS.WritableStream },
): Written {
  if (lines.getPrompt() === "" && lines.line === "") return write();
  const { rows } = lines.getCursorPos();
  cursorTo(output, 0);
  moveCursor(output, 0, -rows);
  clearScreenDown(output);
  const written = write();
  output.write("\n".repeat(rows)); // what draws the line begins as many rows higher
  lines.prompt(true);
  return written;
}

/** Hands a line to the one who waits for it, if anyone does. */
function createSlot(): { put(line: string | null): boolean; take(signal: AbortSignal): Promise<string | null> } {
  let waiting: ((line: string | null) => void) | null = null;
  function put(line: string | null): boolean {
    const answer = waiting;
    waiting = null;
    answer?.(line);
    return answer !== null;
  }
  return {
    put,
    async take(signal) {
      const taken = Promise.withResolvers<string | null>();
      waiting = taken.resolve;
      const abort = (): void => void put(null);
      signal.addEventListener("abort", abort, { once: true });
      try {
        return await taken.promise;
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
  };
}

/** What is written into the line is read like keys: a line break would end it, an escape sequence would be obeyed. */
function isEditable(prefill: string): boolean {
  return prefill !== "" && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(prefill);
}
