import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from "node:readline";
import { Writable } from "node:stream";
import type { ProcessIo } from "../io/process-io.ts";

/** Lines from stdin, edited on stderr where you type them. */
export interface LineInput extends Disposable {
  /** Whether you type; else a script's lines answer in order. */
  readonly isTyped: boolean;
  /** The next line; null when you left (^C, ^D), the input ended, or `signal` aborted. */
  ask(question: string, options: LineOptions): Promise<string | null>;
  /** Takes ^C, and typed lines that nobody asked for; returns who did before. */
  listen(listener: LineListener): LineListener;
  /** How many keys have come so far. */
  countKeys(): number;
  /** How many had come with the last line that was asked for, its Enter among them. */
  countKeysAtLine(): number;
  /** Clears the line. */
  clear(): void;
  /** Runs a write above the line that is being asked for or typed; the line is drawn again below it. */
  writeAbove<Written>(write: () => Written): Written;
  isClosed(): boolean;
  /** Lets another program have the terminal while `run` does. */
  lend<Result>(run: () => Promise<Result>): Promise<Result>;
}

export interface LineOptions {
  readonly signal: AbortSignal;
  /** Initial text of the line, to edit; an empty answer of a script means this text. */
  readonly prefill?: string;
  /** A line that is typed while the question comes up is its answer, too, and is kept among those that Up brings back. */
  readonly isPrompt?: true;
  /** Nothing of the answer is shown. */
  readonly isSecret?: boolean;
}

export interface LineListener {
  interrupt(): void;
  line(text: string): void;
}

const nobody: LineListener = { interrupt: () => {}, line: () => {} };

interface InputState extends Pick<ProcessIo, "stdin" | "stderr"> {
  readonly isTyped: boolean;
  readonly output: MutableOutput;
  readonly asked: Slot;
  /** Lines of a script that came before they were asked for. */
  readonly early: string[];
  lines: Interface | null;
  listener: LineListener;
  keys: number;
  keysAtLine: number;
  state: "open" | "lent" | "closed";
  /** Whether what is read is an answer, which Up does not bring back. */
  isAnswer: boolean;
}

export function openLineInput({ stdin, stderr }: Pick<ProcessIo, "stdin" | "stderr">): LineInput {
  const isTyped = stdin.kind === "terminal";
  const state: InputState = {
    stdin,
    stderr,
    isTyped,
    output: createMutable(stderr.stream),
    asked: createSlot(),
    early: [],
    lines: null,
    listener: nobody,
    keys: 0,
    keysAtLine: 0,
    state: "open",
    isAnswer: false,
  };
  open(state);
  stdin.stream.prependListener("keypress", () => (state.keys += 1)); // a key counts before the line that it ends
  return {
    isTyped,
    ask: (question, options) => (isTyped ? readLine : readScript)(state, question, options),
    listen(next) {
      const before = state.listener;
      state.listener = next;
      return before;
    },
    countKeys: () => state.keys,
    countKeysAtLine: () => state.keysAtLine,
    clear: () => clearLine(open(state)),
    writeAbove: (write) =>
      isTyped && state.state === "open" ? writeAbove(open(state), { write, output: stderr.stream }) : write(),
    isClosed: () => state.state === "closed",
    async lend(run) {
      state.state = "lent";
      state.lines?.close();
      state.lines = null;
      try {
        return await run();
      } finally {
        state.state = "open";
        open(state);
      }
    },
    [Symbol.dispose]: () => state.lines?.close(),
  };
}

/** Returns the open line reader, or opens one. */
function open(state: InputState): Interface {
  if (state.lines !== null) return state.lines;
  const { stdin, output, isTyped, asked, early } = state;
  const lines = createInterface({ input: stdin.stream, output: output.stream, terminal: isTyped, prompt: "" });
  state.lines = lines;
  lines.on("line", (line) => {
    if (asked.put(line)) state.keysAtLine = state.keys;
    else if (isTyped) state.listener.line(line);
    else early.push(line);
  });
  lines.on("history", (history: string[]) => void (state.isAnswer ? history.shift() : null));
  lines.on("SIGINT", () => {
    asked.put(null);
    state.listener.interrupt();
  });
  lines.on("SIGCONT", () => lines.resume()); // it is paused when you come back from ^Z
  lines.on("close", () => {
    if (state.state === "lent") return;
    state.state = "closed";
    asked.put(null);
  });
  return lines;
}

async function readLine(state: InputState, question: string, options: LineOptions): Promise<string | null> {
  const { isTyped, output, asked, stderr } = state;
  const { signal, prefill = "", isSecret = false } = options;
  if (state.state === "closed" || signal.aborted) return null;
  const lines = open(state);
  state.isAnswer = options.isPrompt !== true;
  lines.setPrompt(question);
  lines.prompt(true); // behind what was typed before
  if (isTyped && isEditable(prefill)) lines.write(prefill);
  output.mute(isSecret);
  const line = await asked.take(signal);
  output.mute(false);
  state.isAnswer = false;
  if (isTyped && line !== null && isSecret) stderr.stream.write("\n");
  if (isTyped && line === null) endLine(state);
  lines.setPrompt(""); // else the next redraw of the line would show a question that is no longer open
  return line;
}

/** Puts the next output on a line of its own, and drops typed text so that it cannot answer the next question. */
function endLine(state: InputState): void {
  if (state.state === "closed") return void state.stderr.stream.write("\n");
  const before = state.listener;
  state.listener = nobody;
  state.lines?.write(null, { name: "return" });
  state.listener = before;
}

/** Prints the line after its question, as if it had been typed. */
async function readScript(state: InputState, question: string, options: LineOptions): Promise<string | null> {
  const before = state.early.shift() ?? null;
  const line = before ?? (await readLine(state, question, options));
  if (line === null) return null;
  state.stderr.stream.write(`${before === null ? "" : question}${options.isSecret === true ? "" : line}\n`);
  return line === "" ? (options.prefill ?? "") : line;
}

/** A stream that can be made to take everything and show nothing. */
interface MutableOutput {
  readonly stream: Writable;
  mute(isMuted: boolean): void;
}

/** With the size of the other one. */
function createMutable(stream: Writable): MutableOutput {
  let isMuted = false;
  const mutable = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, taken) {
      if (!isMuted) stream.write(chunk);
      taken();
    },
  });
  for (const name of ["columns", "rows"] as const)
    Object.defineProperty(mutable, name, {
      get: () => ("columns" in stream && "rows" in stream ? stream[name] : undefined),
    });
  stream.on("resize", () => mutable.emit("resize"));
  return { stream: mutable, mute: (next) => void (isMuted = next) };
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
interface Slot {
  put(line: string | null): boolean;
  take(signal: AbortSignal): Promise<string | null>;
}

function createSlot(): Slot {
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

/** A prefilled text is read like keys: a line break would end the line, and an escape sequence would be obeyed. */
function isEditable(prefill: string): boolean {
  return prefill !== "" && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(prefill);
}
