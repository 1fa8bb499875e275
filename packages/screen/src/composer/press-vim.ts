import { changeText, moveCaret } from "./change-text.ts";
import type { Composer } from "./composer.ts";
import { redo } from "./undo.ts";
import { findTarget } from "../edit/motion.ts";
import { insertText, type TextEdit } from "../edit/text-edit.ts";
import type { KeyEvent } from "../key/input-event.ts";
import { does } from "../key/keymap.ts";
import {
  type Operator,
  readSelectionCommand,
  readVimCommand,
  type SelectionCommand,
  type VimCommand,
  vimInsert,
  type VimOperation,
  type VimSelection,
} from "../vim/vim-command.ts";
import { findWordObject, lineStart } from "../vim/vim-motion.ts";
import { splitGraphemes } from "../width/grapheme.ts";
import { runVim, settle, toLines, type VimComposer, type VimRange } from "./run-vim.ts";

/** The composer with Vim keys on, in insert mode, or off. */
export function switchVim(composer: Composer, isOn: boolean): Composer {
  return { ...composer, vim: isOn ? (composer.vim ?? vimInsert) : null };
}

/** The composer after a key of Vim; null: the key means nothing to Vim here, and does what it does without. */
export function pressVim(composer: Composer, key: KeyEvent): Composer | "up" | "down" | null {
  const { vim } = composer;
  if (vim === null) return null;
  const now: VimComposer = { ...composer, vim };
  if (vim.mode === "insert") return key.name === "escape" ? leaveInsert(now) : null;
  if (key.name === "escape") return leaveCommand(now);
  if (key.name === "ctrl+r") return settle(redo(composer));
  // Backspace moves, as in Vim; the keys of the program do what they do without Vim keys.
  if (key.text === null)
    return does(key, "editor.delete_backward") ? settle(moveCaret(composer, findTarget(composer, "left"))) : null;
  const typed = vim.pending + key.text;
  const command = vim.selection === null ? readVimCommand(typed) : readSelectionCommand(typed);
  if (command === "more") return { ...composer, vim: { ...vim, pending: typed } };
  const ready: VimComposer = { ...composer, last: null, popup: null, vim: { ...vim, pending: "" } };
  if (command === null) return ready;
  if (command.type === "motion" && command.count === 1 && (command.keys === "j" || command.keys === "k"))
    return command.keys === "j" ? "down" : "up";
  if (command.type === "selected") return runSelected(ready, command);
  return command.type === "action" && command.keys === "." ? runAgain(ready, command) : runNoted(ready, command);
}

/** Escape in normal mode: leaves the command that is not complete, or else the selection; null: there is neither. */
function leaveCommand({ vim, ...composer }: VimComposer): Composer | null {
  if (vim.pending !== "") return { ...composer, vim: { ...vim, pending: "" } };
  return vim.selection === null ? null : { ...composer, vim: { ...vim, selection: null } };
}

function leaveInsert(composer: VimComposer): Composer {
  const { vim } = composer;
  const isAtStart = composer.caret === lineStart(composer);
  const caret = isAtStart ? composer.caret : findTarget(composer, "left");
  const written = vim.writing && findWritten(vim.writing.from, composer);
  const change = vim.writing === null || written === null ? vim.change : { command: vim.writing.command, written };
  const normal = { ...vim, mode: "normal", pending: "", writing: null, change } as const;
  return { ...composer, caret, popup: null, last: null, goal: null, vim: normal };
}

/** The text that was written at the caret of the earlier text; null: more was changed than that. */
function findWritten({ text, caret }: TextEdit, { text: now }: TextEdit): string | null {
  const [before, behind] = [text.slice(0, caret), text.slice(caret)];
  const isOnly = now.length >= text.length && now.startsWith(before) && now.endsWith(behind);
  return isOnly ? now.slice(before.length, now.length - behind.length) : null;
}

/** Runs a command and keeps it for `.` if it changes something. */
function runNoted(composer: VimComposer, command: VimCommand): Composer {
  const after = runVim(composer, command);
  const isChange =
    command.type === "operator" ? command.operator !== "y" : command.type === "action" && !/^[uvV]$/.test(command.keys);
  if (!isChange || after.vim === null) return after;
  if (after.vim.mode === "normal") return { ...after, vim: { ...after.vim, change: { command, written: "" } } };
  return { ...after, vim: { ...after.vim, writing: { command, from: { text: after.text, caret: after.caret } } } };
}

/** `.`: the last change again, with another count if one was typed. */
function runAgain(composer: VimComposer, { count, isCounted }: VimCommand): Composer {
  const { change } = composer.vim;
  if (change === null) return composer;
  const after = runVim(composer, { ...change.command, ...(isCounted && { count, isCounted }) });
  if (after.vim?.mode !== "insert") return after;
  const written = change.written === "" ? after : changeText(after, insertText(after, change.written));
  return leaveInsert({ ...written, vim: after.vim });
}

/** The selected text; null: nothing is selected. */
export function findSelected(composer: Composer): VimRange | null {
  const { text, caret, vim } = composer;
  if (vim === null || vim.selection === null) return null;
  const anchor = Math.min(vim.selection.anchor, text.length);
  if (vim.selection.isLines) return toLines(composer, anchor, caret);
  const last = Math.max(anchor, caret);
  return { start: Math.min(anchor, caret), end: findTarget({ text, caret: last }, "right"), isLines: false };
}

const selectedOperators: Readonly<Record<string, Operator>> = {
  d: "d",
  x: "d",
  c: "c",
  s: "c",
  y: "y",
  p: "p",
  P: "p",
  "~": "~",
  u: "u",
  U: "U",
};

/** With the whole lines of the selection. */
const lineOperators: Readonly<Record<string, Operator>> = { D: "d", X: "d", C: "c", S: "c", R: "c", Y: "y" };

/** A key that acts on the selection: it runs as a command of normal mode at its start, so that `.` can repeat it. */
function runSelected(composer: VimComposer, { keys }: SelectionCommand): Composer {
  const { vim, caret } = composer;
  const selected = findSelected(composer);
  if (selected === null || vim.selection === null) return composer;
  const select = (selection: VimSelection | null, at = caret): VimComposer => ({
    ...composer,
    caret: at,
    goal: null,
    vim: { ...vim, selection },
  });
  if (keys === "v" || keys === "V") {
    const isLines = keys === "V";
    return select(vim.selection.isLines === isLines ? null : { ...vim.selection, isLines });
  }
  if (keys === "o" || keys === "O") return select({ ...vim.selection, anchor: caret }, vim.selection.anchor);
  if (keys === "iw" || keys === "aw") {
    const word = findWordObject(composer, keys);
    return select({ anchor: word.start, isLines: false }, findTarget({ ...composer, caret: word.end }, "left"));
  }
  const lines = toLines(composer, selected.start, Math.max(vim.selection.anchor, caret));
  const lineCount = composer.text.slice(lines.start, lines.end).split("\n").length;
  const start = select(null, selected.start);
  if (keys === "J") return runNoted(start, { type: "action", keys, count: lineCount, isCounted: true });
  const operator = keys.startsWith("r") ? (`r${keys.slice(1)}` as const) : selectedOperators[keys];
  const ofLines = lineOperators[keys] ?? (selected.isLines ? operator : undefined);
  const ready = { type: "operator", isCounted: true } as const;
  if (ofLines !== undefined) return runNoted(start, { ...ready, operator: ofLines, keys: "V", count: lineCount });
  if (operator === undefined) return composer;
  const count = splitGraphemes(composer.text.slice(selected.start, selected.end)).length;
  const operation: VimOperation = { ...ready, operator, keys: "v", count };
  return runNoted(start, operation);
}
