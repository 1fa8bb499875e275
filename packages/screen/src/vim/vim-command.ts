import type { TextEdit } from "../edit/text-edit.ts";
import type { CharacterSearch } from "./vim-motion.ts";

/** The keys of Vim, as plain data. */
export interface VimState {
  readonly mode: "insert" | "normal";
  /** In normal mode, what `v` or `V` selects; null: nothing. */
  readonly selection: VimSelection | null;
  /** The keys of a command that is not complete. */
  readonly pending: string;
  /** The last search for a character, for `;` and `,`. */
  readonly search: CharacterSearch | null;
  /** The last change, for `.`; null: there was none. */
  readonly change: VimChange | null;
  /** The command that began insert mode, and the text that it left; null: no command did. */
  readonly writing: { readonly command: VimCommand; readonly from: TextEdit } | null;
}

/** A selection from its first end to the caret, with the characters at both. `isLines`: with their whole lines. */
export interface VimSelection {
  readonly anchor: number;
  readonly isLines: boolean;
}

interface VimChange {
  readonly command: VimCommand;
  /** The text that you wrote in insert mode behind the command. */
  readonly written: string;
}

/** Vim keys as they are when you switch them on: you start by writing. */
export const vimInsert: VimState = {
  mode: "insert",
  selection: null,
  pending: "",
  search: null,
  change: null,
  writing: null,
};

/** A command of normal mode. */
export type VimCommand = VimOperation | VimKeys<"motion"> | VimKeys<"action">;

/** `isCounted`: its count was typed. */
interface VimKeys<Type extends string> {
  readonly type: Type;
  readonly keys: string;
  readonly count: number;
  readonly isCounted: boolean;
}

export interface VimOperation extends VimKeys<"operator"> {
  readonly operator: Operator;
  /** A motion, `iw`, `aw`, the operator's own letter or `V` for lines, or `v` for characters. */
  readonly keys: string;
}

/** The last five write another text over the range: switched in case, lower, upper, the copied one, or one character all over. */
export type Operator = "d" | "c" | "y" | "~" | "u" | "U" | "p" | `r${string}`;

/** A command while something is selected: a motion, or the keys of something else. */
export type SelectionCommand = VimKeys<"motion"> | VimKeys<"selected">;

const form = /^(?<count>[1-9]\d*)?(?:(?<operator>[dcy])(?<inner>[1-9]\d*)?)?(?<keys>.*)$/su;
const motion = /^(?:[hlwbe0^$jkG;,]|gg|[fFtT].)$/su;
const begunMotion = /^[gfFtT]$/;
const action = /^(?:[iaIAoOpPuJ~vV.]|r.)$/su;
const selected = /^(?:[vVoOdxXDcsCSRyYuUJpP~]|[ia]w|r.)$/su;
const short: Readonly<Record<string, string>> = { x: "dl", X: "dh", D: "d$", C: "c$", Y: "yy", s: "cl", S: "cc" };
/** More than this changes nothing in a text that is typed. */
const mostCount = 9_999;

/** Reads the keys that were typed in normal mode. `more`: the command is not complete; null: it is none. */
export function readVimCommand(typed: string): VimCommand | "more" | null {
  const { count, operator, inner, keys = "" } = form.exec(typed)?.groups ?? {};
  const isCounted = count !== undefined || inner !== undefined;
  const times = Math.min(mostCount, Number(count ?? 1) * Number(inner ?? 1));
  if (keys === "") return "more";
  if (operator === "d" || operator === "c" || operator === "y") {
    const isObject = keys === "iw" || keys === "aw" || keys === operator;
    if (isObject || motion.test(keys)) return { type: "operator", operator, keys, count: times, isCounted };
    return begunMotion.test(keys) || keys === "i" || keys === "a" ? "more" : null;
  }
  if (motion.test(keys)) return { type: "motion", keys, count: times, isCounted };
  const long = short[keys];
  if (long !== undefined) return readVimCommand(`${count ?? ""}${long}`);
  if (action.test(keys)) return { type: "action", keys, count: times, isCounted };
  return begunMotion.test(keys) || keys === "r" ? "more" : null;
}

/** As `readVimCommand`, while something is selected. */
export function readSelectionCommand(typed: string): SelectionCommand | "more" | null {
  const { count, keys = "" } = /^(?<count>[1-9]\d*)?(?<keys>.*)$/su.exec(typed)?.groups ?? {};
  const counted = { keys, count: Math.min(mostCount, Number(count ?? 1)), isCounted: count !== undefined };
  if (keys === "") return "more";
  if (motion.test(keys)) return { type: "motion", ...counted };
  if (selected.test(keys)) return { type: "selected", ...counted };
  return begunMotion.test(keys) || /^[ria]$/.test(keys) ? "more" : null;
}
