import { findTarget } from "../edit/motion.ts";
import type { TextEdit } from "../edit/text-edit.ts";

/** A search for a character in the line, as `f`, `F`, `t` and `T` begin it. */
export interface CharacterSearch {
  readonly kind: "f" | "F" | "t" | "T";
  readonly character: string;
}

/** Where a motion leads. */
export interface VimTarget {
  readonly at: number;
  /** The text that an operator takes: up to there, or with the character there, or whole lines. */
  readonly extent: "exclusive" | "inclusive" | "lines";
}

/** A motion in a text. `isCounted`: its count was typed. */
export interface VimMotion {
  /** The keys: `w`, `gg`, `fx`. */
  readonly keys: string;
  readonly count: number;
  readonly isCounted: boolean;
  /** For `;` and `,`. */
  readonly search: CharacterSearch | null;
}

/** Letters, digits, marks and `_` are words; other signs make words of their own. */
const word = "[\\p{L}\\p{N}\\p{M}_]+|[^\\p{L}\\p{N}\\p{M}_\\s]+";
const toNextWord = new RegExp(`^(?:${word})?\\s*`, "u");
const toWordEnd = new RegExp(`^\\s*(?:${word})`, "u");
const toWordStart = new RegExp(`(?:${word})?\\s*$`, "u");
const sameKind = new RegExp(`^(?:${word}|[^\\S\\n]+)`, "u");
const sameKindBefore = new RegExp(`(?:${word}|[^\\S\\n]+)$`, "u");

/** The target of a motion; null: it leads nowhere, or is none. */
export function findVimTarget(edit: TextEdit, motion: VimMotion): VimTarget | null {
  const { keys, count, isCounted } = motion;
  if (keys === "gg" || keys === "G") {
    const line = isCounted ? count : keys === "G" ? Number.MAX_SAFE_INTEGER : 1;
    return { at: toFirstWord(edit.text, findLine(edit.text, line)), extent: "lines" };
  }
  const found = findCharacterSearch(motion);
  if (found !== null) return findCharacter(edit, found, { count, isAgain: keys === ";" || keys === "," });
  const step = steps[keys];
  if (step === undefined) return null;
  let at = edit.caret;
  for (let left = count; left > 0; left -= 1) {
    const next = step.go({ text: edit.text, caret: at });
    if (next === at) break;
    at = next;
  }
  return { at, extent: step.extent };
}

/** The search that the keys stand for; null: they are none, or there was none before. */
export function findCharacterSearch({ keys, search }: Pick<VimMotion, "keys" | "search">): CharacterSearch | null {
  if (keys === ";") return search;
  if (keys === ",") return search && { ...search, kind: reversed[search.kind] };
  const [, kind, character] = /^([fFtT])(.+)$/su.exec(keys) ?? [];
  const known = (["f", "F", "t", "T"] as const).find((each) => each === kind);
  return known === undefined || character === undefined ? null : { kind: known, character };
}

const reversed = { f: "F", F: "f", t: "T", T: "t" } as const;

interface Step {
  readonly go: (edit: TextEdit) => number;
  readonly extent: VimTarget["extent"];
}

const steps: Readonly<Record<string, Step>> = {
  h: { go: (edit) => Math.max(lineStart(edit), findTarget(edit, "left")), extent: "exclusive" },
  l: { go: (edit) => Math.min(lineEnd(edit), findTarget(edit, "right")), extent: "exclusive" },
  w: { go: ({ text, caret }) => caret + (toNextWord.exec(text.slice(caret))?.[0].length ?? 0), extent: "exclusive" },
  b: {
    go: ({ text, caret }) => caret - (toWordStart.exec(text.slice(0, caret))?.[0].length ?? 0),
    extent: "exclusive",
  },
  e: { go: goToWordEnd, extent: "inclusive" },
  "0": { go: lineStart, extent: "exclusive" },
  "^": { go: (edit) => toFirstWord(edit.text, lineStart(edit)), extent: "exclusive" },
  $: { go: lineEnd, extent: "exclusive" },
  j: { go: (edit) => moveLine(edit, 1), extent: "lines" },
  k: { go: (edit) => moveLine(edit, -1), extent: "lines" },
};

function goToWordEnd(edit: TextEdit): number {
  const from = findTarget(edit, "right");
  const end = from + (toWordEnd.exec(edit.text.slice(from))?.[0].length ?? 0);
  return end === from ? edit.caret : findTarget({ text: edit.text, caret: end }, "left");
}

/** The start of the line at the caret. */
export function lineStart(edit: TextEdit): number {
  return findTarget(edit, "line-start");
}

/** Behind the last character of the line at the caret. */
export function lineEnd(edit: TextEdit): number {
  return findTarget(edit, "line-end");
}

/** The first character of a line after its blanks. */
export function toFirstWord(text: string, start: number): number {
  return start + (/^[^\S\n]*/.exec(text.slice(start))?.[0].length ?? 0);
}

function moveLine(edit: TextEdit, by: 1 | -1): number {
  const at = by > 0 ? lineEnd(edit) + 1 : lineStart(edit) - 1;
  return at < 0 || at > edit.text.length ? edit.caret : at;
}

/** The start of a line, counted from 1; of the last one where there are fewer. */
function findLine(text: string, line: number): number {
  let at = 0;
  for (let left = line - 1; left > 0 && text.includes("\n", at); left -= 1) at = text.indexOf("\n", at) + 1;
  return at;
}

function findCharacter(
  edit: TextEdit,
  { kind, character }: CharacterSearch,
  { count, isAgain }: { readonly count: number; readonly isAgain: boolean },
): VimTarget | null {
  const isBack = kind === "F" || kind === "T";
  const [start, end] = [lineStart(edit), lineEnd(edit)];
  const beside = kind === "t" ? findTarget(edit, "right") : findTarget(edit, "left");
  const isBeside = (kind === "t" || kind === "T") && edit.text.startsWith(character, beside);
  let at = isAgain && isBeside ? beside : edit.caret; // else it would find the one that it stopped at
  for (let left = count; left > 0; left -= 1) {
    at = isBack ? (at === 0 ? -1 : edit.text.lastIndexOf(character, at - 1)) : edit.text.indexOf(character, at + 1);
    if (at < start || at >= end) return null;
  }
  if (kind === "t") return { at: findTarget({ text: edit.text, caret: at }, "left"), extent: "inclusive" };
  if (kind === "T") return { at: at + character.length, extent: "exclusive" };
  return { at, extent: isBack ? "exclusive" : "inclusive" };
}

/** The range of `iw` or, with the blanks behind it, `aw`. */
export function findWordObject({ text, caret }: TextEdit, keys: "iw" | "aw"): { start: number; end: number } {
  const after = sameKind.exec(text.slice(caret))?.[0] ?? "";
  const isSame = (run: string): boolean => sameKind.exec(run + after)?.[0].length === run.length + after.length;
  const before = sameKindBefore.exec(text.slice(0, caret))?.[0] ?? "";
  const start = after !== "" && isSame(before) ? caret - before.length : caret;
  const end = caret + after.length;
  const blanks = keys === "aw" ? (/^[^\S\n]*/.exec(text.slice(end))?.[0].length ?? 0) : 0;
  return { start, end: end + blanks };
}
