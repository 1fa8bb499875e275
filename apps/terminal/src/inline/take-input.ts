import {
  attachPiece,
  bindKey,
  does,
  type InputEvent,
  pasteIntoChoice,
  pasteText,
  pressChoice,
  pressPager,
  showFirstKey,
} from "@unroll/screen";
import { pressComposer } from "./press-composer.ts";
import { toDialogRoom } from "./render-ui.ts";
import type { InputFacts, KeyInput, OpenDialog, UiState, UiStep } from "./ui-state.ts";

/** Gives a key or a paste to the pager, the open dialog or the composer. Answers of the terminal do nothing here. */
export function takeInput(state: UiState, event: InputEvent, facts: InputFacts): UiStep {
  switch (event.type) {
    case "key":
      return pressKey({ ...state, hint: null }, bindKey(event, state.keymap), facts);
    case "paste":
      return unchanged(paste(state, event.text));
    case "focus":
      return unchanged({ ...state, isFocused: event.isFocused });
    case "reply.keyboard":
      return unchanged({ ...state, tellsModifiers: state.tellsModifiers || event.tellsModifiers });
    case "reply.position":
    case "reply.background":
    case "reply.attributes":
    case "reply.version":
    case "reply.pictures":
    case "reply.scheme":
      return unchanged(state);
  }
}

function unchanged(state: UiState): UiStep {
  return { state, effects: [] };
}

function pressKey(state: UiState, key: KeyInput, facts: InputFacts): UiStep {
  if (state.pager !== null) {
    const pager = pressPager(state.pager, key, facts.size);
    return { state: { ...state, pager }, effects: pager === null ? [{ type: "pager_closed" }] : [] };
  }
  const [dialog] = state.dialogs;
  return dialog === undefined ? pressComposer(state, key, facts) : pressDialog(state, dialog, { key, facts });
}

/** Leaving a dialog denies, so a key that was typed ahead does not leave it either. */
function pressDialog(state: UiState, dialog: OpenDialog, { key, facts }: { key: KeyInput; facts: InputFacts }): UiStep {
  const { choice, effect } = pressChoice(dialog.choice, key, {
    ...facts,
    room: toDialogRoom(state, facts.size),
  });
  const next = { ...state, dialogs: [{ ...dialog, choice }, ...state.dialogs.slice(1)] };
  switch (effect?.type) {
    case "answered":
      return { state: next, effects: [{ type: "answered", id: dialog.id, answer: effect.answer }] };
    case "acted":
      return { state: next, effects: [{ type: "acted", id: dialog.id, act: effect.act }] };
    case "unhandled": {
      const isLeft = does(key, "list.cancel");
      return { state: next, effects: isLeft ? [{ type: "answered", id: dialog.id, answer: null }] : [] };
    }
    case "ignored":
    case undefined:
      return unchanged(next);
  }
}

const imagePath = /^(?:file:\/\/)?(["']?)((?:\/|~\/|[A-Za-z]:\\)[^\n"']*\.(?:png|jpe?g|gif|webp))\1$/i;

/** A pasted path of a picture attaches it: terminals paste the path of a dropped file. */
function paste(state: UiState, text: string): UiState {
  if (state.pager !== null) return state;
  const [dialog] = state.dialogs;
  if (dialog !== undefined) {
    const choice = pasteIntoChoice(dialog.choice, text);
    return { ...state, dialogs: [{ ...dialog, choice }, ...state.dialogs.slice(1)] };
  }
  const path = imagePath.exec(text.trim())?.[2]?.replaceAll("\\ ", " ");
  const composer =
    path === undefined ? pasteText(state.composer, text) : attachPiece(state.composer, { type: "image", source: path });
  const isFolded = path === undefined && composer.pieces.size > state.composer.pieces.size;
  const key = showFirstKey(state.keymap, "composer.unfold_paste");
  const hint = isFolded && key !== null ? `${key} shows the pasted text in the line, to edit it.` : null;
  return { ...state, composer, hint };
}
