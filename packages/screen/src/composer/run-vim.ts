import { changeText, moveCaret } from "./change-text.ts";
import type { Composer } from "./composer.ts";
import { keepKill, yankText } from "./kill.ts";
import { undo } from "./undo.ts";
import { findTarget } from "../edit/motion.ts";
import { insertText, replaceRange } from "../edit/text-edit.ts";
import { type Operator, type VimCommand, vimInsert, type VimOperation, type VimState } from "../vim/vim-command.ts";
import {
  findCharacterSearch,
  findVimTarget,
  findWordObject,
  lineEnd,
  lineStart,
  toFirstWord,
  type VimMotion,
} from "../vim/vim-motion.ts";
import { splitGraphemes } from "../width/grapheme.ts";

/** A composer with Vim keys. */
export interface VimComposer extends Composer {
  readonly vim: VimState;
}

/** In normal mode, moves the caret from the end of a line to its last character. */
export function settle(composer: Composer): Composer {
  if (composer.vim?.mode !== "normal") return composer;
  const isBehind = composer.caret === lineEnd(composer) && composer.caret > lineStart(composer);
  return isBehind ? { ...composer, caret: findTarget(composer, "left") } : composer;
}

/** The composer after a command of normal mode. A change by it may end in insert mode. `.` does nothing here. */
export function runVim(composer: VimComposer, command: VimCommand): Composer {
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

/** A part of the text; `isLines`: whole lines, without the break behind the last one. */
export interface VimRange {
  readonly start: number;
  readonly end: number;
  readonly isLines: boolean;
}

function runOperator(composer: VimComposer, command: VimOperation): Composer {
  const range = findRange(composer, command);
  if (range === null) return composer;
  const searched = remember(composer, command);
  const other = writeOver(composer, command.operator, range);
  if (other !== null) return settle({ ...other, caret: range.start });
  if (range.isLines) return settle(operateOnLines(searched, command.operator, range));
  const text = composer.text.slice(range.start, range.end);
  const kept = text === "" ? searched : keepKill(searched, text);
  if (command.operator === "y") return settle(moveCaret(kept, range.start));
  const changed = text === "" ? kept : changeText(kept, replaceRange(kept, range, ""));
  return command.operator === "c" ? insert(changed, changed.caret) : settle(changed);
}

/** For an operator that writes another text over the range; null: it is none. */
function writeOver(composer: Composer, operator: Operator, range: VimRange): Composer | null {
  const text = composer.text.slice(range.start, range.end);
  const write = (written: string): Composer => changeText(composer, replaceRange(composer, range, written));
  switch (operator) {
    case "d":
    case "c":
    case "y":
      return null;
    case "~":
      return write(splitGraphemes(text).map(switchCase).join(""));
    case "u":
      return write(text.toLowerCase());
    case "U":
      return write(text.toUpperCase());
    case "p":
      return keepKill(write((composer.kills.at(-1) ?? "").replace(/\n$/, "")), range.isLines ? `${text}\n` : text);
  }
  const character = operator.slice(1);
  return write(
    splitGraphemes(text)
      .map((each) => (each === "\n" ? each : character))
      .join(""),
  );
}

function findRange(composer: VimComposer, command: VimOperation): VimRange | null {
  const { operator, keys, count } = command;
  const { text, caret } = composer;
  if (keys === "v") return { start: caret, end: skipCharacters(composer, count), isLines: false };
  if (keys === operator || keys === "V")
    return toLines(composer, caret, findVimTarget(composer, lines(count))?.at ?? caret);
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

/** The offset so many characters behind the caret. */
function skipCharacters({ text, caret }: Composer, count: number): number {
  let at = caret;
  for (let left = count; left > 0; left -= 1) at = findTarget({ text, caret: at }, "right");
  return at;
}

/** Whether the character at the caret is the last one of its word: there, `e` goes to the next word. */
function isWordEnd(composer: Composer): boolean {
  return findWordObject(composer, "iw").end === findTarget(composer, "right");
}

/** As many lines as `dd` takes. */
function lines(count: number): VimMotion {
  return { keys: "j", count: count - 1, isCounted: true, search: null };
}

/** The lines of two offsets, and those between. */
export function toLines({ text }: Composer, one: number, other: number): VimRange {
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
    case ".":
      return composer;
    case "v":
    case "V":
      return { ...composer, vim: { ...composer.vim, selection: { anchor: caret, isLines: keys === "V" } } };
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
      return repeat(composer, count, switchCharacter);
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

function switchCharacter(composer: Composer): Composer {
  const { text, caret } = composer;
  const end = Math.min(lineEnd(composer), findTarget(composer, "right"));
  if (end === caret) return composer;
  return changeText(composer, replaceRange(composer, { start: caret, end }, switchCase(text.slice(caret, end))));
}

function switchCase(character: string): string {
  const upper = character.toUpperCase();
  return character === upper ? character.toLowerCase() : upper;
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
