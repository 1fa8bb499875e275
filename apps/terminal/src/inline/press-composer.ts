import {
  clearText,
  type ComposerContext,
  type Draft,
  pressKey,
  replaceDraft,
  type ScreenSize,
  type Submission,
  submit,
  unfoldPaste,
} from "@unroll/screen";
import { runsBeside } from "../command/read-command.ts";
import type { InputFacts, KeyInput, UiEffect, UiState, UiStep } from "./ui-state.ts";

/** A key that is pressed again within this time, in ms, does more. */
const againMs = 2000;

/** The composer's surroundings, for a window of this size. */
export function toComposerContext({ history, work }: UiState, { columns, rows }: ScreenSize): ComposerContext {
  const whileRunning = columns < 50 ? "Enter: queue · Tab: send now" : "Enter: queue for the next turn · Tab: send now";
  const placeholder = work.type === "running" ? whileRunning : "What should I work on?  /help";
  return { columns, maxRows: Math.max(3, Math.min(12, Math.floor(rows / 3))), history, placeholder };
}

/** Keys of the program come first; all others write. */
export function pressComposer(state: UiState, key: KeyInput, facts: InputFacts): UiStep {
  const own = pressProgramKey(state, key, facts.at);
  if (own !== null) return own;
  const before = { ...state, armed: null };
  const { composer, effect } = pressKey(before.composer, key, toComposerContext(before, facts.size));
  const next = { ...before, composer };
  switch (effect?.type) {
    case "submitted":
      return takeSubmission(next, effect.submission);
    case "unhandled":
      return key.name === "escape" ? escape(state, facts.at) : { state: next, effects: [] };
    case undefined:
      return { state: next, effects: [] };
  }
}

/** Keys that do the same in every state. */
const fixedEffects: ReadonlyMap<string, UiEffect> = new Map([
  ["shift+tab", { type: "command", name: "mode next" }],
  ["ctrl+t", { type: "command", name: "transcript" }],
  ["ctrl+g", { type: "edited" }],
  ["ctrl+l", { type: "repainted" }],
  ["ctrl+z", { type: "suspended" }],
  ["ctrl+v", { type: "image_pasted" }],
]);

function pressProgramKey(state: UiState, { name }: KeyInput, at: number): UiStep | null {
  const { composer, work } = state;
  const isEmpty = composer.text === "";
  switch (name) {
    case "ctrl+c":
      return stop(state, at);
    case "ctrl+d":
      return isEmpty ? { state, effects: [{ type: "left" }] } : null;
    case "?":
      return isEmpty && composer.mode.type === "writing"
        ? { state, effects: [{ type: "command", name: "help keys" }] }
        : null;
    case "up":
      return isEmpty && composer.mode.type === "writing" && state.waiting.length > 0 ? takeBack(state) : null;
    case "ctrl+o":
      return unfold(state);
    case "tab":
      return composer.popup === null && !isEmpty && work.type === "running" ? steer(state) : null;
    case "ctrl+s":
      return work.type === "running" ? steer(state) : null;
  }
  const effect = fixedEffects.get(name);
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
  if (isAgain(state, "ctrl+c", at)) return { state, effects: [{ type: "left" }] };
  const isRunning = state.work.type === "running";
  const hint = "Press ^C again to quit.";
  const next: UiState = { ...state, armed: { key: "ctrl+c", at }, hint };
  return { state: next, effects: isRunning ? [{ type: "interrupted" }] : [] };
}

/** Escape: stops the turn; twice in an empty line rewinds. */
function escape(state: UiState, at: number): UiStep {
  if (state.work.type === "running") return { state, effects: [{ type: "interrupted" }] };
  if (state.composer.text !== "" || state.work.type === "opening") return { state, effects: [] };
  if (isAgain(state, "escape", at))
    return { state: { ...state, armed: null }, effects: [{ type: "command", name: "rewind" }] };
  return {
    state: { ...state, armed: { key: "escape", at }, hint: "Press Esc again to rewind." },
    effects: [],
  };
}

function isAgain({ armed }: UiState, key: "ctrl+c" | "escape", at: number): boolean {
  return armed?.key === key && at - armed.at <= againMs;
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

function remember(state: UiState, { text, isShell }: Submission): UiState {
  const typed = isShell ? `!${text}` : text;
  return state.history.at(-1) === typed ? state : { ...state, history: [...state.history, typed] };
}
