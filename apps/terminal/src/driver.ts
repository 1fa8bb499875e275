import type { Libraries, ShownThread } from "@unroll/cells";
import type { ThreadEvent } from "@unroll/protocol";
import type { Candidate, CandidateQuery, Picture, Row, StyledLine, Submission } from "@unroll/screen";
import type { ThreadView } from "@unroll/view";
import type { FollowedText, ReasoningView, TerminalCommand, ThemeName } from "./command/terminal-command.ts";
import type { DialogFlow } from "./dialog/dialog-flow.ts";
import type { AnswerWay } from "./dialog/question-flow.ts";
import type { HelpEntry } from "./text/render-help.ts";

/**
 * How you see this program and answer it: painted (`inline/`) or line by line (`plain/`). All else in this app knows only this
 * interface. Text that is finished is written once and never again.
 */
export interface Driver extends Disposable {
  /** What the keys do, for the help. */
  readonly keys: readonly HelpEntry[];
  /** Whether you can answer; else the lines of a script do, in order. */
  readonly isAttended: boolean;
  readonly answeredBy: AnswerWay;
  /** What is painted anew at the end of the scroll; null: nothing is. */
  readonly live: LiveRegion | null;
  /** How wide text may be, in cells. */
  columns(): number;
  /** Loads what shows threads. Before that, only `add` with lines and `ask` work. */
  load(): Promise<Libraries>;

  /** Shows the events of another thread from now on. */
  beginThread(thread: DrivenThread): void;
  /** The fold of its events; what is finished is taken out of it. */
  readonly view: ThreadView;
  /** Shows an event. The promise resolves when there is room for the next one. */
  apply(event: ThreadEvent): Promise<void> | void;
  /** Shows what you sent, or text of the program. */
  add(entry: FinishedText): void;
  /** Shows a command that you typed above what it leads to. */
  echo(text: string): void;
  /** How it begins: by default each driver shows reasoning as suits it. */
  showReasoning(view: ReasoningView): void;
  chooseTheme(theme: ThemeName): void;
  /** Shows more than fits: on a page of its own, where there is a screen. */
  page(title: string, lines: readonly StyledLine[]): void;
  /** Shows a text that grows, until you leave it or type on. */
  follow(text: FollowedText): void;
  /** Shows the whole thread with nothing folded; false: it is not kept here. */
  pageThread(): boolean;

  /** Which commands may be typed. */
  setCommands(commands: readonly TerminalCommand[]): void;
  /** What was typed in earlier runs, oldest first. */
  setHistory(texts: readonly string[]): void;
  /** Calls back with what you do besides `next`, first with what nobody took. */
  onAction(take: (action: PersonAction) => void): void;
  /** What to do next, once nothing runs. Null: you left, the input ended, or `signal` aborted. */
  next(signal: AbortSignal): Promise<PersonInput | null>;
  /** Has it come with a later `next`, as if it had been typed. */
  enqueue(submission: Submission): void;
  /** Puts it into the line that you type in. */
  prefill(text: string): void;
  /** Has a picture go with your next message, by its path. */
  attachImage(source: string): void;
  /** Whether a turn runs, or what is like one. */
  setWork(work: "running" | "stopping" | "idle"): void;
  /** Asks, behind what is asked already. Rejects with the signal's reason where that aborts. */
  ask<Result>(flow: DialogFlow<Result>, signal: AbortSignal): Promise<Result>;
  /** Hands the terminal over while `run` does. Throws `ProgramError` where there is none. */
  lend<Result>(run: () => Promise<Result>): Promise<Result>;
}

/** A thread that a driver shows. */
export interface DrivenThread {
  readonly cwd: string;
  /** Whether the config hides what the model thinks. */
  readonly hidesReasoning: boolean;
}

/** Text that never changes any more: what you sent, or lines of the program. */
export type FinishedText = Parameters<ShownThread["add"]>[0];

/** What only a screen can do. */
export interface LiveRegion {
  /** Null: the terminal does not say. */
  readonly isFocused: boolean | null;
  /** Whether pictures are shown. */
  readonly hasPictures: boolean;
  /** What stands in the line that you type in. */
  readonly draft: string;
  showPicture(picture: Picture): void;
  /** Below the line, until the next key. */
  hint(text: string): void;
  /** The status line in so many cells; asked for with each frame. */
  setStatus(render: (columns: number) => Row): void;
  /** From now on nothing moves by itself. */
  stopAnimation(): void;
  /** Offers what the word at the cursor may become; `find` gives null where that is not known yet. Returns what is to be called when it is. */
  completeWith(find: (query: CandidateQuery) => readonly Candidate[] | null): () => void;
  /** Sends a control sequence to the terminal. */
  readonly send: (sequence: string) => void;
}

/** What you sent, and how: a line is shown above what it leads to, a key that stands for a command is not. */
export interface PersonInput {
  readonly submission: Submission;
  readonly by: "line" | "key";
}

/** What you do while something runs, or besides. */
export type PersonAction =
  /** A command that may run beside a turn. */
  | ({ readonly type: "beside" } & PersonInput)
  /** Goes into the next request of the turn that runs. */
  | { readonly type: "steered"; readonly submission: Submission }
  /** You sent this text, whenever it is carried out. */
  | { readonly type: "typed"; readonly text: string }
  | { readonly type: "interrupted" | "edited" | "image_pasted" };
