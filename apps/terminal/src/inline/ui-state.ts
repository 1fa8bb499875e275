import type {
  Choice,
  Composer,
  DialogAct,
  Draft,
  InputEvent,
  Keymap,
  Pager,
  ScreenSize,
  Submission,
} from "@unroll/screen";
import { defaultKeymap, emptyComposer } from "@unroll/screen";
import type { TerminalCommand } from "../command/terminal-command.ts";

/** Everything that you see and type besides the transcript, as plain data. */
export interface UiState {
  readonly composer: Composer;
  /** The dialogs that are open, in the order in which they came: the first is shown. */
  readonly dialogs: readonly OpenDialog[];
  /** The page on the full screen; null: none. */
  readonly pager: Pager | null;
  /** Messages that wait for the end of the turn. */
  readonly waiting: readonly Submission[];
  /** Messages that go in with the next request. */
  readonly expected: readonly Draft[];
  readonly work: WorkState;
  /** A key that does more when you press it again soon. */
  readonly armed: { readonly action: "chat.cancel" | "chat.interrupt_turn"; readonly at: number } | null;
  /** Earlier inputs, oldest first. */
  readonly history: readonly Draft[];
  readonly commands: readonly TerminalCommand[];
  readonly keymap: Keymap;
  /** Null: unknown. */
  readonly isFocused: boolean | null;
  /** Whether the terminal tells Shift+Enter from Enter, as it answered. */
  readonly tellsModifiers: boolean;
  /** Below the composer, until the next key; null: nothing. */
  readonly hint: string | null;
}

type WorkState =
  /** The program loads: messages wait. */
  | { readonly type: "opening" }
  | { readonly type: "idle" }
  /** `since`: in ms of the clock. */
  | { readonly type: "running"; readonly since: number; readonly isStopping: boolean };

export interface OpenDialog {
  /** Unique in the program. */
  readonly id: number;
  readonly choice: Choice;
}

/** Facts at the time of a key. */
export interface InputFacts {
  readonly size: ScreenSize;
  /** In ms of the clock. */
  readonly at: number;
  /** Whether several keys came at once. */
  readonly isBurst: boolean;
}

export type KeyInput = Extract<InputEvent, { readonly type: "key" }>;

/** An effect of a key outside of the state. */
export type UiEffect =
  | { readonly type: "submitted"; readonly submission: Submission }
  /** Goes into the next request of the turn that runs. */
  | { readonly type: "steered"; readonly submission: Submission }
  | {
      readonly type: "answered";
      readonly id: number;
      readonly answer: { readonly id: string; readonly text: string | null } | null;
    }
  | { readonly type: "acted"; readonly id: number; readonly act: DialogAct }
  /** `name`: a command that a key stands for, with its argument. */
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
  expected: [],
  work: { type: "opening" },
  armed: null,
  history: [],
  commands: [],
  keymap: defaultKeymap,
  isFocused: null,
  tellsModifiers: false,
  hint: null,
};
