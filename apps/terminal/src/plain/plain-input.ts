import type { LineTerminal } from "@unroll/program";
import type { UserInputPart } from "@unroll/protocol";
import { type Draft, type Submission, toSubmission } from "@unroll/screen";
import { pluralize, toShownText } from "@unroll/text";
import { readText, runsBeside, toMessageText } from "../command/read-command.ts";
import type { TerminalCommand } from "../command/terminal-command.ts";
import type { Driver, PersonAction } from "../driver.ts";
import { readInputText } from "../text/read-input-text.ts";

/** The reading half of the line driver: lines for the prompt, or for the running turn. */
export interface PlainInput {
  readonly driven: Pick<
    Driver,
    | "setCommands"
    | "setHistory"
    | "expectInput"
    | "takeBack"
    | "onAction"
    | "next"
    | "enqueue"
    | "prefill"
    | "attachImage"
    | "setWork"
  >;
  /** How your message is shown where the model got it; empty if you see it where you typed it. */
  describeReceived(input: readonly UserInputPart[]): string;
  /** Puts the prompt away while `run` asks something else. */
  withoutPrompt<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Aborts with the next line. */
  untilLine(): AbortSignal;
}

interface InputState {
  readonly terminal: LineTerminal;
  readonly leave: () => void;
  readonly waiting: Submission[];
  readonly untaken: PersonAction[];
  act: (action: PersonAction) => void;
  commands: readonly TerminalCommand[];
  isRunning: boolean;
  /** Dialogs that are open, or wait. */
  dialogs: number;
  /** Puts the prompt away; null: it is not there. */
  awayPrompt: AbortController | null;
  dialogsDone: PromiseWithResolvers<void>;
  prefill: string;
  /** Pictures for the next message, by their paths. */
  readonly images: string[];
  /** The message that was typed at the prompt last, until the model got it. */
  typed: string | null;
  /** Lines of a message that continues, because each ended with a backslash. */
  unfinished: string;
  /** ^C threw those away, and not the thread. */
  isThrownAway: boolean;
  /** Messages that go in with the next request. */
  expected: readonly Draft[];
  nextLine: AbortController;
}

export function createPlainInput(terminal: LineTerminal, leave: () => void): PlainInput {
  const state: InputState = {
    terminal,
    leave,
    waiting: [],
    untaken: [],
    act: (action) => void state.untaken.push(action),
    commands: [],
    isRunning: false,
    dialogs: 0,
    awayPrompt: null,
    dialogsDone: Promise.withResolvers(),
    prefill: "",
    images: [],
    typed: null,
    unfinished: "",
    isThrownAway: false,
    expected: [],
    nextLine: new AbortController(),
  };
  terminal.listen({ interrupt: () => interrupt(state), line: (text) => takeBeside(state, text) });
  return {
    driven: {
      setCommands: (commands) => void (state.commands = commands),
      setHistory: () => {},
      onAction(act) {
        state.act = act;
        for (const action of state.untaken.splice(0)) act(action);
      },
      async next(signal) {
        const submission = await readSubmission(state, signal);
        return submission === null ? null : { submission, by: "line" };
      },
      expectInput: (message) => void (state.expected = [...state.expected, message]),
      takeBack(count) {
        if (count === 0) return;
        const returned = state.expected.slice(-count);
        state.prefill = [...returned.map(({ text }) => text), state.prefill].filter((text) => text !== "").join(" ");
        state.images.unshift(...returned.flatMap(({ images }) => images));
        state.expected = state.expected.slice(0, -count);
      },
      enqueue: (submission) => void state.waiting.push(submission),
      prefill: (text) => void (state.prefill = text),
      attachImage: (source) => void state.images.push(source),
      setWork: (work) => void (state.isRunning = work !== "idle"),
    },
    describeReceived(received) {
      const text = readInputText(received);
      const { typed } = state;
      state.expected = state.expected.filter((each) => toMessageText(each.text) !== text);
      if (typed !== null && toMessageText(typed) === text) state.typed = null;
      if (received.length === 0 || (typed !== null && state.typed === null)) return "";
      const images = received.filter(({ type }) => type === "image").length;
      const pictures = images === 0 ? "" : ` [${pluralize(images, "picture")}]`;
      return `\n> ${toShownText(text)}${pictures}\n`;
    },
    async withoutPrompt(run) {
      state.dialogs += 1;
      state.awayPrompt?.abort();
      try {
        return await run();
      } finally {
        state.dialogs -= 1;
        if (state.dialogs === 0) state.dialogsDone.resolve();
      }
    },
    untilLine: () => state.nextLine.signal,
  };
}

/** ^C. A question handles it by itself: it denies. */
function interrupt(state: InputState): void {
  const { isRunning, dialogs, awayPrompt, act, leave } = state;
  if (state.unfinished !== "" && dialogs === 0) {
    Object.assign(state, { unfinished: "", isThrownAway: awayPrompt !== null });
  } else if (isRunning) act({ type: "interrupted" });
  else if (dialogs === 0 && awayPrompt === null) leave();
}

/** Null: you left, or the input ended. */
async function readSubmission(state: InputState, signal: AbortSignal): Promise<Submission | null> {
  for (;;) {
    const waiting = state.waiting.shift();
    if (waiting !== undefined) return waiting;
    const line = await readPrompt(state, signal);
    if (line === null) {
      if (!state.isThrownAway) return null;
      state.isThrownAway = false;
      continue;
    }
    const text = finishLine(state, line);
    if (text !== null && text.trim() !== "") return toTyped(state, text, false);
  }
}

/** The whole message; null while it continues in the next line. Lines of a script are messages of their own. */
function finishLine(state: InputState, line: string): string | null {
  if (state.terminal.isTyped && line.endsWith("\\")) {
    state.unfinished += `${line.slice(0, -1)}\n`;
    return null;
  }
  const text = state.unfinished + line;
  state.unfinished = "";
  return text;
}

/** A question hides the prompt; it comes back after the answer. */
async function readPrompt(state: InputState, signal: AbortSignal): Promise<string | null> {
  for (;;) {
    if (state.dialogs > 0) {
      state.dialogsDone = Promise.withResolvers();
      await state.dialogsDone.promise;
    }
    const away = new AbortController();
    state.awayPrompt = away;
    const options = {
      signal: AbortSignal.any([signal, away.signal]),
      isPrompt: true,
      prefill: takePrefill(state),
    } as const;
    const line = await state.terminal.ask(state.unfinished === "" ? "\n> " : "… ", options);
    state.awayPrompt = null;
    state.nextLine.abort();
    state.nextLine = new AbortController();
    if (line !== null || !away.signal.aborted || signal.aborted) return line;
  }
}

/** Not for a script: its lines are complete. */
function takePrefill(state: InputState): string {
  const { prefill } = state;
  state.prefill = "";
  return state.terminal.isTyped ? prefill : "";
}

/** Output that breaks ends the program by its own event. */
function tell({ terminal }: InputState, text: string): void {
  terminal.tell(text).catch(() => {});
}

function toTyped(state: InputState, line: string, isSteered: boolean): Submission {
  const submission = toSubmission({ text: line, pieces: new Map() });
  const images = isMessage(state, submission) ? state.images.splice(0) : [];
  if (isSteered) tell(state, "(goes in with the next request)\n");
  else state.typed = submission.text;
  if (state.terminal.isTyped) state.act({ type: "typed", draft: { text: line.trimEnd(), images: [] } });
  return { ...submission, images };
}

/** A line that you type while something runs: a message goes into the next request of the turn, or is queued. */
function takeBeside(state: InputState, typed: string): void {
  const line = finishLine(state, typed);
  if (line === null || line.trim() === "") return;
  state.nextLine.abort();
  state.nextLine = new AbortController();
  const submission = toSubmission({ text: line, pieces: new Map() });
  if (runsBeside(submission, state.commands))
    return state.act({ type: "beside", submission: toTyped(state, line, false), by: "line" });
  if (!state.isRunning) return void state.waiting.push(toTyped(state, line, false));
  if (isMessage(state, submission)) return state.act({ type: "steered", submission: toTyped(state, line, true) });
  const name = submission.isShell ? "!" : submission.text.split(/\s/, 1)[0];
  tell(state, `(${name} works after the turn; ^C stops the turn)\n`);
}

function isMessage({ commands }: InputState, { text, isShell }: Submission): boolean {
  return !isShell && readText(text, commands).type === "message";
}
