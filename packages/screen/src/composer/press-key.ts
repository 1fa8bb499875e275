import { type EditAction, findEditAction } from "../edit/edit-keys.ts";
import { findTarget } from "../edit/motion.ts";
import { insertText, replaceRange } from "../edit/text-edit.ts";
import type { KeyEvent } from "../key/input-event.ts";
import { does } from "../key/keymap.ts";
import { vimInsert } from "../vim/vim-command.ts";
import { acceptCandidate, keepPopup, moveSelection } from "./candidates.ts";
import { changeText, clearText, moveCaret } from "./change-text.ts";
import type { Composer, ComposerContext, ComposerStep } from "./composer.ts";
import { emptyComposer } from "./composer.ts";
import { beginSearch, endSearch, recall, searchHistory } from "./history.ts";
import { killText, yankText } from "./kill.ts";
import { findOffset, layOut } from "./layout.ts";
import { cleanInput } from "../edit/clean-input.ts";
import { pressVim } from "./press-vim.ts";
import { settle } from "./run-vim.ts";
import { toSubmission } from "./take-submission.ts";
import { redo, undo } from "./undo.ts";

/** Applies a key to the composer, and returns what the caller has to do. */
export function pressKey(composer: Composer, key: KeyEvent, context: ComposerContext): ComposerStep {
  if (composer.mode.type === "searching") return pressInSearch(composer, key, context);
  const byVim = pressVim(composer, key);
  if (byVim === "up" || byVim === "down")
    return { composer: settle(moveVertically(composer, context, byVim === "up" ? -1 : 1)), effect: null };
  if (byVim !== null) return { composer: byVim, effect: null };
  if (composer.popup !== null) {
    const step = pressInPopup(composer, key);
    if (step !== null) return step;
  }
  const next = applyKey(composer, key, context);
  if (next !== null) return { composer: settle(keepPopup(next)), effect: null };
  return does(key, "composer.submit") ? submit(composer) : { composer, effect: { type: "unhandled" } };
}

/** Sends what is written, whatever key asked for it. Nothing is sent where nothing is written. */
export function submit(composer: Composer): ComposerStep {
  const submission = toSubmission(composer);
  if (submission.text === "" && submission.images.length === 0) return { composer, effect: null };
  return { composer: emptied(composer), effect: { type: "submitted", submission } };
}

/** Killed text can be yanked into the next message. Pieces cannot: they belong to the message that was sent. */
function emptied(composer: Composer): Composer {
  const vim = composer.vim && vimInsert;
  return { ...emptyComposer, vim, kills: composer.kills.filter((killed) => killed.isWellFormed()) };
}

function pressInPopup(composer: Composer, key: KeyEvent): ComposerStep | null {
  const { popup } = composer;
  if (popup === null) return null;
  if (does(key, "editor.move_up")) return { composer: moveSelection(composer, -1), effect: null };
  if (does(key, "editor.move_down")) return { composer: moveSelection(composer, 1), effect: null };
  if (does(key, "composer.dismiss"))
    return { composer: { ...composer, popup: null, dismissedAt: popup.query.start }, effect: null };
  if (does(key, "composer.complete")) return { composer: acceptCandidate(composer), effect: null };
  if (!does(key, "composer.submit")) return null;
  const chosen = popup.candidates[popup.selected ?? -1];
  // A name or argument that is typed in full is sent as it is, and so is one that no candidate has to be.
  if (chosen === undefined || (popup.query.kind !== "file" && popup.query.query === chosen.value))
    return submit(composer);
  const accepted = acceptCandidate(composer);
  return chosen.isComplete === true ? submit(accepted) : { composer: accepted, effect: null };
}

function pressInSearch(composer: Composer, key: KeyEvent, context: ComposerContext): ComposerStep {
  const { mode } = composer;
  if (mode.type !== "searching") return { composer, effect: null };
  const { query } = mode;
  const search = (next: { query: string; from: number; by: 1 | -1 }): ComposerStep => ({
    composer: searchHistory(composer, context, next),
    effect: null,
  });
  if (does(key, "composer.history_search_previous") || does(key, "editor.move_up"))
    return search({ query, from: (mode.index ?? -1) + 1, by: 1 });
  if (does(key, "composer.history_search_next") || does(key, "editor.move_down"))
    return search({ query, from: (mode.index ?? 0) - 1, by: -1 });
  if (does(key, "editor.delete_backward"))
    return search({ query: query.slice(0, findTarget({ text: query, caret: query.length }, "left")), from: 0, by: 1 });
  if (key.text !== null) return search({ query: query + key.text, from: mode.index ?? 0, by: 1 });
  if (does(key, "composer.dismiss") || does(key, "chat.cancel") || does(key, "global.open_external_editor"))
    return { composer: endSearch(composer), effect: null };
  const { draft } = mode;
  const taken: Composer = { ...composer, mode: { type: "writing" }, past: [...composer.past, draft], future: [] };
  return does(key, "composer.submit") || does(key, "composer.complete")
    ? { composer: taken, effect: null }
    : pressKey(taken, key, context);
}

/** The composer after a key that writes, moves or changes; null for any other. */
function applyKey(composer: Composer, key: KeyEvent, context: ComposerContext): Composer | null {
  if (key.text !== null) return changeText(composer, insertText(composer, cleanInput(key.text)), "typing");
  if (does(key, "editor.move_up")) return moveVertically(composer, context, -1);
  if (does(key, "editor.move_down")) return moveVertically(composer, context, 1);
  if (does(key, "composer.history_search_previous")) return beginSearch(composer);
  if (does(key, "chat.cancel")) return composer.text === "" ? null : clearText(composer);
  if (does(key, "composer.submit")) return breakEscapedLine(composer);
  const action = findEditAction(key);
  if (action === null || (does(key, "global.quit") && composer.text === "")) return null;
  return applyAction(composer, action);
}

/** For terminals that do not tell shift+enter from enter: a backslash before the caret makes it a new line. Null: there is none. */
function breakEscapedLine(composer: Composer): Composer | null {
  const { text, caret } = composer;
  if (text[caret - 1] !== "\\") return null;
  return changeText(composer, replaceRange(composer, { start: caret - 1, end: caret }, "\n"));
}

function applyAction(composer: Composer, action: EditAction): Composer {
  switch (action.type) {
    case "move":
      return moveCaret(composer, findTarget(composer, action.motion));
    case "delete": {
      const target = findTarget(composer, action.motion);
      if (target === composer.caret) return composer;
      const range = { start: Math.min(target, composer.caret), end: Math.max(target, composer.caret) };
      return changeText(composer, replaceRange(composer, range, ""));
    }
    case "kill":
      return killText(composer, action.motion);
    case "yank":
    case "yank-older":
      return yankText(composer, action.type);
    case "undo":
      return undo(composer);
    case "redo":
      return redo(composer);
    case "newline":
      return changeText(composer, insertText(composer, "\n"));
  }
}

/** A row up or down as it is seen; beyond the first and the last row lies the history. */
function moveVertically(composer: Composer, context: ComposerContext, by: 1 | -1): Composer {
  const layout = layOut(composer, context);
  const row = layout.caret.row + by;
  const isRecalled = composer.mode.type === "recalling" && composer.caret === composer.text.length;
  const isSelecting = (composer.vim?.selection ?? null) !== null;
  if (isSelecting && (row < 0 || row >= layout.rows.length)) return composer;
  if (!isSelecting && (row < 0 || row >= layout.rows.length || isRecalled)) {
    const recalled = recall(composer, context, by < 0 ? "older" : "newer");
    if (recalled !== null) return recalled;
    if (row < 0 || row >= layout.rows.length) return moveCaret(composer, by < 0 ? 0 : composer.text.length);
  }
  const goal = composer.goal ?? layout.caret.column;
  return moveCaret(composer, findOffset(layout, row, goal), goal);
}
