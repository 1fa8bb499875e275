import type { CharacterSearch } from "./vim-motion.ts";

/** The keys of Vim, as plain data. */
export interface VimState {
  readonly mode: "insert" | "normal";
  /** The keys of a command that is not complete. */
  readonly pending: string;
  /** The last search for a character, for `;` and `,`. */
  readonly search: CharacterSearch | null;
}

/** A command of normal mode. */
export type VimCommand =
  | { readonly type: "motion"; readonly keys: string; readonly count: number; readonly isCounted: boolean }
  | {
      readonly type: "operator";
      readonly operator: Operator;
      /** A motion, `iw`, `aw`, or the operator's own letter for lines. */
      readonly keys: string;
      readonly count: number;
      readonly isCounted: boolean;
    }
  | { readonly type: "action"; readonly keys: string; readonly count: number };

export type Operator = "d" | "c" | "y";

const form = /^(?<count>[1-9]\d*)?(?:(?<operator>[dcy])(?<inner>[1-9]\d*)?)?(?<keys>.*)$/su;
const motion = /^(?:[hlwbe0^$jkG;,]|gg|[fFtT].)$/su;
const begunMotion = /^[gfFtT]$/;
const action = /^(?:[iaIAoOxXDCYsSpPuJ~]|r.)$/su;
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
  if (action.test(keys)) return { type: "action", keys, count: times };
  return begunMotion.test(keys) || keys === "r" ? "more" : null;
}
