import type { Libraries, ShownThread } from "@unroll/cells";
import type { ThreadEvent } from "@unroll/protocol";
import type {
  Candidate,
  CandidateQuery,
  Draft,
  KeyAction,
  Keymap,
  Picture,
  Row,
  StyledLine,
  Submission,
} from "@unroll/screen";
import type { ThreadView } from "@unroll/view";
import type { FollowedText, ReasoningView, TerminalCommand, ThemeName } from "./command/terminal-command.ts";
import type { DialogFlow } from "./dialog/dialog-flow.ts";
import type { AnswerWay } from "./dialog/question-flow.ts";
import type { HelpEntry } from "./text/render-help.ts";

/**
 * How you see this program and answer it: painted (`inline/`) or line by line (`plain/`). The rest of this app knows only this interface.
 * Finished text is written once.
 */
export interface Driver extends Disposable {
  /** The keys, for the help. */
  readonly keys: readonly HelpEntry[];
  /** Whether you can answer. If not, the lines of a script answer in order. */
  readonly isAttended: boolean;
  readonly answeredBy: AnswerWay;
  /** The first key in force for an action, as messages show it; null: this driver has none. */
  showKey(action: KeyAction): string | null;
  /** The repainted rows at the end of the scroll; null: there are none. */
  readonly live: LiveRegion | null;
  /** How wide text may be, in cells. */
  columns(): number;
  /** Loads the code that shows threads. Before that, only `add` with lines and `ask` work. */
  load(): Promise<Libraries>;

  /** Shows the events of another thread from now on. */
  beginThread(thread: DrivenThread): void;
  /** The fold of its events, without finished items. */
  readonly view: ThreadView;
  /** Shows an event. The promise resolves when there is room for the next one. */
  apply(event: ThreadEvent): Promise<void> | void;
  /** Shows text of the program. */
  add(entry: FinishedText): void;
  /** Shows that your message goes in with the next request, until its `input.received`. */
  expectInput(message: Draft): void;
  /** Puts the last `count` of these messages back into your line, with their pictures. */
  takeBack(count: number): void;
  /** Shows the command that you typed, above its result. */
  echo(text: string): void;
  /** Changes how reasoning is shown. Each driver has its own default. */
  showReasoning(view: ReasoningView): void;
  chooseTheme(theme: ThemeName): void;
  /** Shows a long text: on a page, if there is a screen. */
  page(title: string, lines: readonly StyledLine[]): void;
  /** Shows a growing text until you leave it or type a line. */
  follow(text: FollowedText): void;
  /** Shows the whole thread with nothing folded; false: this driver does not keep it. */
  pageThread(): boolean;

  /** Which keys do what from now on. A driver that reads lines has no such keys. */
  setKeymap(keymap: Keymap): void;
  /** Whether your line has Vim keys; null: this driver cannot have them. */
  readonly hasVim: boolean | null;
  setVim(isOn: boolean): void;
  /** Which commands may be typed. */
  setCommands(commands: readonly TerminalCommand[]): void;
  /** Your inputs of earlier runs, oldest first. */
  setHistory(drafts: readonly Draft[]): void;
  /** Calls back with what you do besides `next`, first with actions that came before this call. */
  onAction(take: (action: PersonAction) => void): void;
  /** Your next input, once nothing runs. Null: you left, the input ended, or `signal` aborted. */
  next(signal: AbortSignal): Promise<PersonInput | null>;
  /** Returns it from a later `next`, as if you had typed it. */
  enqueue(submission: Submission): void;
  /** Writes it into your input line. */
  prefill(text: string): void;
  /** Attaches a picture to your next message, by its path. */
  attachImage(source: string): void;
  /** Whether a turn runs, or work like one. */
  setWork(work: "running" | "stopping" | "idle"): void;
  /** Asks, after the questions that are open. Rejects with the signal's reason if that aborts. */
  ask<Result>(flow: DialogFlow<Result>, signal: AbortSignal): Promise<Result>;
  /** Hands the terminal over while `run` runs. Throws `ProgramError` if there is none. */
  lend<Result>(run: () => Promise<Result>): Promise<Result>;
}

/** A thread that a driver shows. */
export interface DrivenThread {
  readonly cwd: string;
  /** Whether the config hides reasoning. */
  readonly hidesReasoning: boolean;
}

/** Text of the program, which never changes. */
export type FinishedText = Parameters<ShownThread["add"]>[0];

/** Functions that need a screen. */
export interface LiveRegion {
  /** Null: unknown. */
  readonly isFocused: boolean | null;
  /** Whether pictures are shown. */
  readonly hasPictures: boolean;
  /** Your input line. Setting it attaches its pictures again. */
  draft: Draft;
  showPicture(picture: Picture): void;
  /** Below the line, until the next key. */
  hint(text: string): void;
  /** Sets the renderer of the status line for a width in cells. Each frame calls it. */
  setStatus(render: (columns: number) => Row): void;
  /** Sets the renderer of the terminal's title. Each frame calls it. */
  setTitle(render: (state: TitleState) => string): void;
  /** Stops all animation. */
  stopAnimation(): void;
  /** Offers completions of the word at the cursor. `find` returns null while they are unknown; call the returned function once they are known. */
  completeWith(find: (query: CandidateQuery) => readonly Candidate[] | null): () => void;
  /** Sends a control sequence to the terminal. */
  readonly send: (sequence: string) => void;
}

/** The state of the program that the terminal's title shows; null: nothing has run yet. */
export type TitleState = "needs you" | "working" | "done" | null;

/** Your input. A typed line is shown above its result; a key that stands for a command is not. */
export interface PersonInput {
  readonly submission: Submission;
  readonly by: "line" | "key";
}

/** Your action while something runs, or beside it. */
export type PersonAction =
  /** A command that may run beside a turn. */
  | ({ readonly type: "beside" } & PersonInput)
  /** Goes into the next request of the turn that runs. */
  | { readonly type: "steered"; readonly submission: Submission }
  /** You sent this. It may run later. */
  | { readonly type: "typed"; readonly draft: Draft }
  | { readonly type: "interrupted" | "edited" | "image_pasted" };
