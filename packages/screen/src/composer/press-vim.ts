import { changeText, moveCaret } from "./change-text.ts";
import type { Composer } from "./composer.ts";
import { keepKill, yankText } from "./kill.ts";
import { redo, undo } from "./undo.ts";
import { findTarget } from "../edit/motion.ts";
import { insertText, replaceRange } from "../edit/text-edit.ts";
import type { KeyEvent } from "../key/input-event.ts";
import { does } from "../key/keymap.ts";
import { type Operator, readVimCommand, type VimCommand, type VimState } from "../vim/vim-command.ts";
import {
  findCharacterSearch,
  findVimTarget,
  findWordObject,
  lineEnd,
  lineStart,
  toFirstWord,
  type VimMotion,
} from "../vim/vim-motion.ts";

/** Vim keys as they are when you switch them on: you start by writing. */
export const vimInsert: VimState = { mode: "insert", pending: "", search: null };

/** The composer with Vim keys on, in insert mode, or off. */
export function switchVim(composer: Composer, isOn: boolean): Composer {
  return { ...composer, vim: isOn ? (composer.vim ?? vimInsert) : null };
}

/** The composer after a key of Vim; null: the key means nothing to Vim here, and does what it does without. */
export function pressVim(composer: Composer, key: KeyEvent): Composer | "up" | "down" | null {
  const { vim } = composer;
  if (vim === null) return null;
  if (vim.mode === "insert") return key.name === "escape" ? leaveInsert(composer, vim) : null;
  if (key.name === "escape") return vim.pending === "" ? null : { ...composer, vim: { ...vim, pending: "" } };
  if (key.name === "ctrl+r") return settle(redo(composer));
  // Backspace moves, as in Vim; the keys of the program do what they do without Vim keys.
  if (key.text === null)
    return does(key, "editor.delete_backward") ? settle(moveCaret(composer, findTarget(composer, "left"))) : null;
  const typed = vim.pending + key.text;
  const command = readVimCommand(typed);
  if (command === "more") return { ...composer, vim: { ...vim, pending: typed } };
  const ready: VimComposer = { ...composer, last: null, popup: null, vim: { ...vim, pending: "" } };
  if (command === null) return ready;
  if (command.type === "motion" && command.count === 1 && (command.keys === "j" || command.keys === "k"))
    return command.keys === "j" ? "down" : "up";
  return run(ready, command);
}

interface VimComposer extends Composer {
  readonly vim: VimState;
}

function leaveInsert(composer: Composer, vim: VimState): Composer {
  const isAtStart = composer.caret === lineStart(composer);
  const caret = isAtStart ? composer.caret : findTarget(composer, "left");
  return { ...composer, caret, popup: null, last: null, goal: null, vim: { ...vim, mode: "normal", pending: "" } };
}

/** In normal mode, moves the caret from the end of a line to its last character. */
export function settle(composer: Composer): Composer {
  if (composer.vim?.mode !== "normal") return composer;
  const isBehind = composer.caret === lineEnd(composer) && composer.caret > lineStart(composer);
  return isBehind ? { ...composer, caret: findTarget(composer, "left") } : composer;
}

function run(composer: VimComposer, command: VimCommand): Composer {
  switch (command.type) {
    case "motion":
      return runMotion(composer, command);
    case "operator":
      return runOperator(composer, command);
    case "action":
      return settle(runAction(composer, command));
  }
}

function runMotion(composer: VimComposer, command: Extract<VimCommand, { type: "motion" }>): Composer {
  const found = findVimTarget(composer, withSearch(composer, command));
  return found === null ? composer : settle(moveCaret(remember(composer, command), found.at));
}

function withSearch({ vim }: VimComposer, command: Omit<VimMotion, "search">): VimMotion {
  return { ...command, search: vim.search };
}

/** Keeps what `f` and its like searched, for `;` and `,`. */
function remember(composer: VimComposer, { keys }: { readonly keys: string }): VimComposer {
  const search = keys.length > 1 ? findCharacterSearch({ keys, search: null }) : null;
  return search === null ? composer : { ...composer, vim: { ...composer.vim, search } };
}

interface VimRange {
  readonly start: number;
  readonly end: number;
  readonly isLines: boolean;
}

type OperatorCommand = Extract<VimCommand, { type: "operator" }>;

function runOperator(composer: VimComposer, command: OperatorCommand): Composer {
  const range = findRange(composer, command);
  if (range === null) return composer;
  const searched = remember(composer, command);
  if (range.isLines) return settle(operateOnLines(searched, command.operator, range));
  const text = composer.text.slice(range.start, range.end);
  const kept = text === "" ? searched : keepKill(searched, text);
  if (command.operator === "y") return settle(moveCaret(kept, range.start));
  const changed = text === "" ? kept : changeText(kept, replaceRange(kept, range, ""));
  return command.operator === "c" ? insert(changed, changed.caret) : settle(changed);
}

function findRange(composer: VimComposer, command: OperatorCommand): VimRange | null {
  const { operator, keys, count } = command;
  const { text, caret } = composer;
  if (keys === operator) return toLines(composer, caret, findVimTarget(composer, lines(count))?.at ?? caret);
  if (keys === "iw" || keys === "aw") return { ...findWordObject(composer, keys), isLines: false };
  const isOnWord = /\S/.test(text.charAt(caret));
  // `cw` leaves the blanks behind the word, and `dw` the end of the line.
  const asked = operator === "c" && keys === "w" && isOnWord ? { ...command, keys: "e" } : command;
  const found =
    asked !== command && isWordEnd(composer) && count === 1
      ? { at: caret, extent: "inclusive" as const }
      : findVimTarget(composer, withSearch(composer, asked));
  if (found === null || (found.at === caret && found.extent !== "inclusive")) {
    return operator === "c" && found !== null ? { start: caret, end: caret, isLines: false } : null;
  }
  if (found.extent === "lines") return toLines(composer, caret, found.at);
  const [start, last] = [Math.min(caret, found.at), Math.max(caret, found.at)];
  const end = found.extent === "inclusive" ? findTarget({ text, caret: last }, "right") : last;
  return { start, end: keys === "w" ? Math.max(start, Math.min(end, lineEnd(composer))) : end, isLines: false };
}

/** Whether the character at the caret is the last one of its word: there, `e` goes to the next word. */
function isWordEnd(composer: Composer): boolean {
  return findWordObject(composer, "iw").end === findTarget(composer, "right");
}

/** As many lines as `dd` takes. */
function lines(count: number): VimMotion {
  return { keys: "j", count: count - 1, isCounted: true, search: null };
}

function toLines({ text }: Composer, one: number, other: number): VimRange {
  const [first, last] = [Math.min(one, other), Math.max(one, other)];
  return { start: lineStart({ text, caret: first }), end: lineEnd({ text, caret: last }), isLines: true };
}

/** Whole lines are kept with a line end, by which `p` knows them. */
function operateOnLines(composer: VimComposer, operator: Operator, { start, end }: VimRange): Composer {
  const { text } = composer;
  const kept = keepKill(composer, `${text.slice(start, end)}\n`);
  if (operator === "y") return { ...kept, caret: Math.min(composer.caret, start) };
  if (operator === "c") return insert(changeText(kept, replaceRange(kept, { start, end }, "")), start);
  const isLast = end === text.length;
  const range = isLast ? { start: Math.max(0, start - 1), end } : { start, end: end + 1 };
  const changed = changeText(kept, replaceRange(kept, range, ""));
  return { ...changed, caret: toFirstWord(changed.text, lineStart({ text: changed.text, caret: range.start })) };
}

function insert(composer: Composer, caret: number): Composer {
  return { ...composer, caret, last: null, vim: { ...(composer.vim ?? vimInsert), mode: "insert", pending: "" } };
}

function runAction(composer: VimComposer, { keys, count }: Extract<VimCommand, { type: "action" }>): Composer {
  const { text, caret } = composer;
  switch (keys) {
    case "i":
      return insert(composer, caret);
    case "a":
      return insert(composer, Math.min(lineEnd(composer), findTarget(composer, "right")));
    case "I":
      return insert(composer, toFirstWord(text, lineStart(composer)));
    case "A":
      return insert(composer, lineEnd(composer));
    case "o": {
      const opened = changeText(composer, insertText({ text, caret: lineEnd(composer) }, "\n"));
      return insert(opened, opened.caret);
    }
    case "O": {
      const start = lineStart(composer);
      return insert(changeText(composer, insertText({ text, caret: start }, "\n")), start);
    }
    case "u":
      return repeat(composer, count, undo);
    case "p":
    case "P":
      return repeat(composer, count, (each) => put(each, keys));
    case "J":
      return repeat(composer, Math.max(1, count - 1), joinLines);
    case "~":
      return repeat(composer, count, switchCase);
  }
  return replaceCharacters(composer, keys.slice(1), count);
}

function repeat(composer: Composer, count: number, once: (composer: Composer) => Composer): Composer {
  let now = composer;
  for (let left = count; left > 0; left -= 1) {
    const next = once(now);
    if (next === now) break;
    now = next;
  }
  return now;
}

function put(composer: Composer, way: "p" | "P"): Composer {
  const kill = composer.kills.at(-1);
  if (kill === undefined) return composer;
  if (!kill.endsWith("\n")) {
    const isBehind = way === "p" && composer.caret < lineEnd(composer);
    const at = isBehind ? findTarget(composer, "right") : composer.caret;
    const written = yankText({ ...composer, caret: at }, "yank");
    return { ...written, caret: findTarget(written, "left"), last: null };
  }
  const at = way === "p" ? lineEnd(composer) : lineStart(composer);
  const changed = changeText(
    composer,
    insertText({ text: composer.text, caret: at }, way === "p" ? `\n${kill.slice(0, -1)}` : kill),
  );
  return { ...changed, caret: toFirstWord(changed.text, way === "p" ? at + 1 : at) };
}

function joinLines(composer: Composer): Composer {
  const end = lineEnd(composer);
  if (end === composer.text.length) return composer;
  const next = toFirstWord(composer.text, end + 1);
  const gap = end === lineStart(composer) || next === composer.text.length ? "" : " ";
  return { ...changeText(composer, replaceRange(composer, { start: end, end: next }, gap)), caret: end };
}

function switchCase(composer: Composer): Composer {
  const { text, caret } = composer;
  const end = Math.min(lineEnd(composer), findTarget(composer, "right"));
  if (end === caret) return composer;
  const character = text.slice(caret, end);
  const upper = character.toUpperCase();
  return changeText(
    composer,
    replaceRange(composer, { start: caret, end }, character === upper ? character.toLowerCase() : upper),
  );
}

/** As Vim, it does nothing where the line has fewer characters. */
function replaceCharacters(composer: Composer, character: string, count: number): Composer {
  const start = composer.caret;
  let end = start;
  for (let left = count; left > 0; left -= 1) {
    if (end >= lineEnd(composer)) return composer;
    end = findTarget({ text: composer.text, caret: end }, "right");
  }
  const changed = changeText(composer, replaceRange(composer, { start, end }, character.repeat(count)));
  return { ...changed, caret: findTarget(changed, "left") };
}
