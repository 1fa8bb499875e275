import { cleanInput } from "../edit/clean-input.ts";
import { insertText, type TextEdit } from "../edit/text-edit.ts";
import { pressInField } from "../edit/text-field.ts";
import type { KeyEvent } from "../key/input-event.ts";
import { does, findAction } from "../key/keymap.ts";
import type { Choice, ChoiceAction, DialogAct, DialogAnswer } from "./choice.ts";
import { isOptionKey } from "./option-key.ts";
import { findOptions } from "./find-options.ts";
import { type ChoiceRoom, isHeadLong, isHeadRead, pageOptions, scrollChoice, scrollToMatch } from "./render-choice.ts";

/** The result of a key. `ignored`: it was typed ahead. `unhandled`: it means nothing here (escape, ^C are the caller's). */
export interface ChoiceStep {
  readonly choice: Choice;
  readonly effect:
    | { readonly type: "answered"; readonly answer: DialogAnswer }
    | { readonly type: "acted"; readonly act: DialogAct }
    | { readonly type: "ignored" | "unhandled" }
    | null;
}

/**
 * Keys count after a pause of this length: text that you were typing when the dialog appeared must not answer it. An ignored key
 * or a letter without a meaning restarts the pause: it shows that you are typing words and did not see the question, so a digit
 * or Enter among them is not an answer.
 */
const quietMs = 350;

export interface ChoiceFacts {
  /** When the key came, in ms of the clock of `showChoice`. */
  readonly at: number;
  /** As it is rendered: Page Down goes by what is seen. */
  readonly room: ChoiceRoom;
  /** Several keys came at once: a paste, or keys that were typed ahead. They move and write, but choose and allow nothing. */
  readonly isBurst: boolean;
}

/** Applies a key to a dialog. */
export function pressChoice(choice: Choice, key: KeyEvent, facts: ChoiceFacts): ChoiceStep {
  const { at, room, isBurst } = facts;
  const seen = arm(choice, at);
  if (!seen.isArmed) return { choice: seen, effect: { type: "ignored" } };
  if (isBurst && !mayBurst(seen, key))
    return { choice: { ...seen, isArmed: false, quietSince: at }, effect: { type: "ignored" } };
  const armed = seen.notice === null ? seen : { ...seen, notice: null };
  if (armed.finding.typing !== null) return pressWhileFinding(armed, armed.finding.typing, { key, room });
  const step = armed.isWriting ? pressWhileWriting(armed, key) : press(armed, key, facts);
  if (!isConsent(armed, step) || isHeadRead(armed, room)) return step;
  // you cannot agree to text that was not shown: show the next page and wait for the key again
  return { choice: { ...scrollChoice(armed, room, "on"), isArmed: false, quietSince: at }, effect: null };
}

/** Whether a key may be one of several that come at once. Leaving denies. */
function mayBurst({ options, actions, selected, search, finding, isWriting }: Choice, key: KeyEvent): boolean {
  if (does(key, "list.cancel")) return true;
  if (actions.some(({ action, isOfOption }) => isOfOption && does(key, action))) return false;
  if (finding.typing !== null || search !== null) return true;
  if (isWriting) return !does(key, "list.accept") || options[selected]?.isConsent !== true;
  return findAction(key, moveActions) !== null || findAction(key, scrollActions) !== null;
}

function isConsent({ options }: Choice, { effect }: ChoiceStep): boolean {
  return effect?.type === "answered" && options.some((each) => each.isConsent === true && each.id === effect.answer.id);
}

function press(armed: Choice, key: KeyEvent, { at, room }: ChoiceFacts): ChoiceStep {
  const way = isTyped(armed, key) ? null : toWay(findAction(key, scrollActions));
  if (way !== null && (armed.search === null || armed.search.text === "" || way === "on" || way === "back")) {
    const scrollsHead = armed.search === null && isHeadLong(armed, room);
    return { choice: (scrollsHead ? scrollChoice : pageOptions)(armed, room, way), effect: null };
  }
  if (does(key, "list.find") && armed.search === null && isHeadLong(armed, room))
    return { choice: { ...armed, finding: { ...armed.finding, typing: { text: "", caret: 0 } } }, effect: null };
  const step = pressWhileChoosing(armed, key);
  const isWord = step.effect?.type === "unhandled" && key.text !== null;
  return isWord ? { ...step, choice: { ...step.choice, isArmed: false, quietSince: at } } : step;
}

/** Whether the key writes into the search of the options. */
function isTyped({ search }: Choice, { text }: KeyEvent): boolean {
  return search !== null && text !== null;
}

const scrollActions = ["list.page_down", "list.page_up", "list.jump_top", "list.jump_bottom"] as const;

function toWay(action: (typeof scrollActions)[number] | null): Parameters<typeof scrollChoice>[2] | null {
  const ways = {
    "list.page_down": "on",
    "list.page_up": "back",
    "list.jump_top": "start",
    "list.jump_bottom": "end",
  } as const;
  return action === null ? null : ways[action];
}

/** Enter without a text searches for the same again. */
function pressWhileFinding(
  choice: Choice,
  typing: TextEdit,
  { key, room }: { readonly key: KeyEvent; readonly room: ChoiceRoom },
): ChoiceStep {
  const { finding } = choice;
  if (does(key, "list.cancel")) return { choice: { ...choice, finding: { ...finding, typing: null } }, effect: null };
  if (key.text !== null || !does(key, "list.accept")) {
    const next = pressInField(typing, key) ?? typing;
    return { choice: { ...choice, finding: { ...finding, typing: next } }, effect: null };
  }
  const query = typing.text === "" ? finding.query : typing.text;
  const searched = { ...choice, finding: { ...finding, typing: null, query } };
  return { choice: scrollToMatch(searched, room, query === finding.query ? "next" : "top"), effect: null };
}

function arm(choice: Choice, at: number): Choice {
  if (choice.isArmed || choice.quietSince === null) return choice;
  if (at - choice.quietSince >= quietMs) return { ...choice, isArmed: true };
  return { ...choice, quietSince: at };
}

function pressWhileChoosing(choice: Choice, key: KeyEvent): ChoiceStep {
  const found = findOptions(choice);
  const action = choice.actions.find((each) => does(key, each.action));
  if (action !== undefined) return act(choice, action, found[choice.selected]?.id ?? null);
  const index = choice.search === null ? found.findIndex((option) => isOptionKey(option, key)) : -1;
  if (index >= 0) return choose(choice, index);
  const move = isTyped(choice, key) ? null : findAction(key, moveActions);
  if (move !== null) {
    const by = move === "list.move_down" ? 1 : -1;
    const count = Math.max(1, found.length);
    return { choice: { ...choice, selected: (choice.selected + by + count) % count }, effect: null };
  }
  if (choice.search !== null) return pressWhileSearching(choice, choice.search, key);
  return does(key, "list.accept") ? choose(choice, choice.selected) : { choice, effect: { type: "unhandled" } };
}

function act(choice: Choice, { id, isOfOption }: ChoiceAction, option: string | null): ChoiceStep {
  if (isOfOption && option === null) return { choice, effect: null };
  return { choice, effect: { type: "acted", act: { id, option, search: choice.search?.text ?? "" } } };
}

/** Escape takes back what was typed first. */
function pressWhileSearching(choice: Choice, search: TextEdit, key: KeyEvent): ChoiceStep {
  if (key.text === null && does(key, "list.accept")) return choose(choice, choice.selected);
  if (key.text === null && does(key, "list.cancel") && !does(key, "chat.cancel") && search.text !== "")
    return { choice: { ...choice, search: { text: "", caret: 0 }, selected: 0 }, effect: null };
  const next = pressInField(search, key);
  if (next === null) return { choice, effect: { type: "unhandled" } };
  return { choice: { ...choice, search: next, selected: 0 }, effect: null };
}

const moveActions = ["list.move_up", "list.move_down"] as const;

function choose(choice: Choice, index: number): ChoiceStep {
  const option = findOptions(choice)[index];
  if (option === undefined) return { choice, effect: null };
  if (option.refusal !== undefined)
    return { choice: { ...choice, selected: index, notice: option.refusal }, effect: null };
  const { search } = choice;
  if (option.field !== undefined && search !== null && search.text !== "")
    return { choice, effect: { type: "answered", answer: { id: option.id, text: search.text } } };
  if (option.field !== undefined) return { choice: { ...choice, selected: index, isWriting: true }, effect: null };
  return {
    choice: { ...choice, selected: index },
    effect: { type: "answered", answer: { id: option.id, text: null } },
  };
}

function pressWhileWriting(choice: Choice, key: KeyEvent): ChoiceStep {
  const id = choice.options[choice.selected]?.id ?? "";
  const field = choice.fields[id] ?? { text: "", caret: 0 };
  const hasOthers = choice.options.length > 1;
  if (key.text === null) {
    if (does(key, "list.accept")) return { choice, effect: { type: "answered", answer: { id, text: field.text } } };
    if (does(key, "list.cancel") && !does(key, "chat.cancel") && hasOthers)
      return { choice: { ...choice, isWriting: false }, effect: null };
    if (hasOthers && isVertical(key)) return pressWhileChoosing({ ...choice, isWriting: false }, key);
  }
  const next = pressInField(field, key);
  if (next === null) return { choice, effect: { type: "unhandled" } };
  return { choice: { ...choice, fields: { ...choice.fields, [id]: next } }, effect: null };
}

/** Tab leaves no field. */
function isVertical(key: KeyEvent): boolean {
  return findAction(key, moveActions) !== null && findAction(key, ["editor.move_up", "editor.move_down"]) !== null;
}

/** A paste goes into the field that is written, or what is searched, as one line; elsewhere it is ignored. */
export function pasteIntoChoice(choice: Choice, text: string): Choice {
  const line = cleanInput(text).replaceAll(/\s*\n\s*/g, " ");
  const { typing } = choice.finding;
  if (typing !== null) return { ...choice, finding: { ...choice.finding, typing: insertText(typing, line) } };
  if (choice.search !== null && !choice.isWriting)
    return { ...choice, search: insertText(choice.search, line), selected: 0 };
  const id = choice.options[choice.selected]?.id ?? "";
  const field = choice.fields[id];
  if (!choice.isWriting || field === undefined) return choice;
  return { ...choice, fields: { ...choice.fields, [id]: insertText(field, line) } };
}
