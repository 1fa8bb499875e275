import {
  clearText,
  type ComposerContext,
  does,
  type Draft,
  findAction,
  type KeyAction,
  pressKey,
  replaceDraft,
  type ScreenSize,
  showFirstKey,
  type Submission,
  submit,
  unfoldPaste,
} from "@unroll/screen";
import { runsBeside } from "../command/read-command.ts";
import type { InputFacts, KeyInput, UiEffect, UiState, UiStep } from "./ui-state.ts";

/** A key that is pressed again within this time, in ms, does more. */
const againMs = 2000;

/** The composer's surroundings, for a window of this size. */
export function toComposerContext({ history, work, keymap }: UiState, { columns, rows }: ScreenSize): ComposerContext {
  const [submit, steerKey] = (["composer.submit", "composer.steer"] as const).map((each) => showFirstKey(keymap, each));
  const queue = columns < 50 ? `${submit}: queue` : `${submit}: queue for the next turn`;
  const whileRunning = steerKey === null ? queue : `${queue} · ${steerKey}: send now`;
  const placeholder = work.type === "running" ? whileRunning : "What should I work on?  /help";
  const third = Math.floor(rows / 3);
  return { columns, maxRows: Math.max(3, Math.min(12, third)), maxListed: third, history, placeholder };
}

/** Keys of the program come first; all others write. */
export function pressComposer(state: UiState, key: KeyInput, facts: InputFacts): UiStep {
  const own = pressProgramKey(state, key, facts.at);
  if (own !== null) return own;
  const before = { ...state, armed: null };
  const { composer, effect } = pressKey(before.composer, key, toComposerContext(before, facts.size));
  const isRecalled = composer.mode.type !== "writing" && composer.text !== before.composer.text;
  const next = { ...before, composer, hint: isRecalled ? explainLostPicture(composer.text) : before.hint };
  switch (effect?.type) {
    case "submitted":
      return takeSubmission(next, effect.submission);
    case "unhandled":
      return does(key, "chat.interrupt_turn") ? escape(state, facts.at) : { state: next, effects: [] };
    case undefined:
      return { state: next, effects: [] };
  }
}

/** About an earlier message whose label has no picture any more; null: there is no such label. */
function explainLostPicture(text: string): string | null {
  const [label] = /\[image \d+\]/.exec(text) ?? [];
  return label === undefined ? null : `The picture of ${label} was not kept: attach it again, or remove the label.`;
}

/** Keys that do the same in every state. */
const fixedEffects: ReadonlyMap<KeyAction, UiEffect> = new Map<KeyAction, UiEffect>([
  ["chat.next_permission_mode", { type: "command", name: "mode next" }],
  ["global.open_transcript", { type: "command", name: "transcript" }],
  ["global.open_external_editor", { type: "edited" }],
  ["global.clear_terminal", { type: "repainted" }],
  ["global.suspend", { type: "suspended" }],
  ["composer.paste_image", { type: "image_pasted" }],
  ["global.toggle_vim_mode", { type: "command", name: "vim" }],
]);

function pressProgramKey(state: UiState, key: KeyInput, at: number): UiStep | null {
  const { composer, work } = state;
  const isEmpty = composer.text === "";
  const isFresh = isEmpty && composer.mode.type === "writing";
  if (does(key, "chat.cancel")) return stop(state, at);
  if (does(key, "global.quit") && isEmpty) return { state, effects: [{ type: "left" }] };
  if (does(key, "composer.toggle_shortcuts") && (isFresh || key.text === null))
    return { state, effects: [{ type: "command", name: "help keys" }] };
  if (does(key, "chat.edit_queued_message") && isFresh && state.waiting.length > 0) return takeBack(state);
  if (does(key, "composer.unfold_paste")) return unfold(state);
  if (does(key, "composer.steer") && work.type === "running" && composer.mode.type !== "searching") {
    const completes = does(key, "composer.complete");
    if (!completes || (composer.popup === null && !isEmpty)) return steer(state);
  }
  const action = findAction(key, [...fixedEffects.keys()]);
  const effect = action === null ? undefined : fixedEffects.get(action);
  return effect === undefined ? null : { state, effects: [effect] };
}

function unfold(state: UiState): UiStep {
  const composer = unfoldPaste(state.composer);
  const next = composer === null ? { ...state, hint: "There is no folded paste in the line." } : { ...state, composer };
  return { state: next, effects: [] };
}

/** ^C: clears the line; in an empty one it stops the turn; again, it leaves. */
function stop(state: UiState, at: number): UiStep {
  if (state.composer.text !== "" || state.composer.mode.type === "searching")
    return { state: { ...state, composer: clearText(state.composer), armed: null }, effects: [] };
  if (isAgain(state, "chat.cancel", at)) return { state, effects: [{ type: "left" }] };
  const isRunning = state.work.type === "running";
  const hint = `Press ${showFirstKey(state.keymap, "chat.cancel")} again to quit.`;
  const next: UiState = { ...state, armed: { action: "chat.cancel", at }, hint };
  return { state: next, effects: isRunning ? [{ type: "interrupted" }] : [] };
}

/** Escape: stops the turn; twice in an empty line rewinds. */
function escape(state: UiState, at: number): UiStep {
  if (state.work.type === "running") return { state, effects: [{ type: "interrupted" }] };
  if (state.composer.text !== "" || state.work.type === "opening") return { state, effects: [] };
  if (isAgain(state, "chat.interrupt_turn", at))
    return { state: { ...state, armed: null }, effects: [{ type: "command", name: "rewind" }] };
  return {
    state: {
      ...state,
      armed: { action: "chat.interrupt_turn", at },
      hint: `Press ${showFirstKey(state.keymap, "chat.interrupt_turn")} again to rewind.`,
    },
    effects: [],
  };
}

function isAgain({ armed }: UiState, action: NonNullable<UiState["armed"]>["action"], at: number): boolean {
  return armed?.action === action && at - armed.at <= againMs;
}

function takeBack(state: UiState): UiStep {
  const last = state.waiting.at(-1);
  if (last === undefined) return { state, effects: [] };
  const composer = replaceDraft(state.composer, [toDraft(last)]);
  return { state: { ...state, waiting: state.waiting.slice(0, -1), composer }, effects: [] };
}

/** The text that you typed to send it, and its pictures. */
export function toDraft({ text, images, isShell }: Submission): Draft {
  return { text: isShell ? `!${text}` : text, images };
}

function steer(state: UiState): UiStep {
  const { composer, effect } = submit(state.composer);
  if (effect?.type !== "submitted") {
    const [first, ...rest] = state.waiting;
    if (first === undefined) return { state, effects: [] };
    return { state: { ...state, waiting: rest }, effects: [{ type: "steered", submission: first }] };
  }
  return {
    state: remember({ ...state, composer }, effect.submission),
    effects: [{ type: "steered", submission: effect.submission }],
  };
}

/** During a turn, a message is queued, and a command runs if it may. */
function takeSubmission(state: UiState, submission: Submission): UiStep {
  const next = remember(state, submission);
  if (state.work.type === "idle" || (state.work.type === "running" && runsBeside(submission, state.commands)))
    return { state: next, effects: [{ type: "submitted", submission }] };
  return { state: { ...next, waiting: [...next.waiting, submission] }, effects: [] };
}

function remember(state: UiState, submission: Submission): UiState {
  const draft = toDraft(submission);
  const last = state.history.at(-1);
  const isSame = last?.text === draft.text && last.images.join("\n") === draft.images.join("\n");
  return isSame ? state : { ...state, history: [...state.history, draft] };
}
