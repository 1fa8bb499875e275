import type { Choice, Composer, InputEvent, Pager, ScreenSize, Submission } from "@unroll/screen";
import { emptyComposer } from "@unroll/screen";
import type { TerminalCommand } from "../command/terminal-command.ts";

/** What a person sees and types besides the transcript, as plain data. */
export interface UiState {
  readonly composer: Composer;
  /** The dialogs that are open, in the order in which they came: the first is shown. */
  readonly dialogs: readonly OpenDialog[];
  /** What is read on the full screen; null: nothing. */
  readonly pager: Pager | null;
  /** What was sent while a turn ran, and waits for its end. */
  readonly waiting: readonly Submission[];
  readonly work: WorkState;
  /** The key that was pressed, and does more when it is pressed again soon. */
  readonly armed: { readonly key: "ctrl+c" | "escape"; readonly at: number } | null;
  /** What a person typed before, oldest first. */
  readonly history: readonly string[];
  readonly commands: readonly TerminalCommand[];
  /** Null: the terminal did not say. */
  readonly isFocused: boolean | null;
  /** Below the composer, until the next key; null: nothing. */
  readonly hint: string | null;
}

type WorkState =
  /** The program is being loaded: what is sent waits. */
  | { readonly type: "opening" }
  | { readonly type: "idle" }
  /** `since`: in ms of the clock. */
  | { readonly type: "running"; readonly since: number; readonly isStopping: boolean };

export interface OpenDialog {
  /** Unique in the program. */
  readonly id: number;
  readonly choice: Choice;
}

/** What is known when something is typed. */
export interface InputFacts {
  readonly size: ScreenSize;
  /** In ms of the clock. */
  readonly at: number;
}

export type KeyInput = Extract<InputEvent, { readonly type: "key" }>;

/** What a key asks of the world. */
export type UiEffect =
  | { readonly type: "submitted"; readonly submission: Submission }
  /** Goes into the next request of the turn that runs. */
  | { readonly type: "steered"; readonly submission: Submission }
  | {
      readonly type: "answered";
      readonly id: number;
      readonly answer: { readonly id: string; readonly text: string | null } | null;
    }
  /** `name`: a command that a key stands for. */
  | { readonly type: "command"; readonly name: string }
  | { readonly type: "interrupted" | "left" | "suspended" | "edited" | "repainted" | "image_pasted" | "pager_closed" };

export interface UiStep {
  readonly state: UiState;
  readonly effects: readonly UiEffect[];
}

export const initialUi: UiState = {
  composer: emptyComposer,
  dialogs: [],
  pager: null,
  waiting: [],
  work: { type: "opening" },
  armed: null,
  history: [],
  commands: [],
  isFocused: null,
  hint: null,
};
