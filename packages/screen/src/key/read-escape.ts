import type { InputEvent } from "./input-event.ts";
import { letterKeys, nameControl, withModifiers } from "./names.ts";
import { parseApplicationCommand, parseCommand, parseDeviceControl, parseSequence } from "./parse-sequence.ts";

/** Whether an incomplete sequence may still be completed. */
export type Outlook = "more may come" | "nothing more comes";

/** The meaning of an escape sequence and its length in characters. `paste`: a bracketed paste begins. */
export interface ReadEscape {
  readonly event: InputEvent | "paste" | null;
  readonly length: number;
}

/** Reads the escape sequence at the start of `text`; null if its end may still arrive. */
export function readEscape(text: string, outlook: Outlook): ReadEscape | null {
  const next = text[1];
  const isOver = outlook === "nothing more comes";
  if (next === undefined) return isOver ? { event: key("escape"), length: 1 } : null;
  if (next === "[") return readControlSequence(text) ?? (isOver ? { event: key("alt+["), length: 2 } : null);
  if (next === "O") return readShifted(text) ?? (isOver ? { event: key("alt+O"), length: 2 } : null);
  if ("]P_^X".includes(next)) return readString(text) ?? (isOver ? { event: key(`alt+${next}`), length: 2 } : null);
  if (next === "\u001b") return readDouble(text, outlook);
  const character = String.fromCodePoint(text.codePointAt(1) ?? 0);
  const length = 1 + character.length;
  const code = character.charCodeAt(0);
  if ((code >= 128 && code < 160) || character === "\ufffd") return { event: null, length };
  const name = code < 32 || code === 127 ? nameControl(code) : character === " " ? "space" : character;
  return { event: key(withAlt(name)), length };
}

/** The longest sequence that we wait for; a longer one is invalid. */
const longestSequence = 128;
const longestString = 64 * 1024;

function readControlSequence(text: string): ReadEscape | null {
  const body = text.slice(1, longestSequence);
  // The Linux console's function keys.
  const functionKey = /^\[\[([A-E])/.exec(body)?.[1];
  if (functionKey !== undefined) return { event: key(`f${functionKey.charCodeAt(0) - 64}`), length: 4 };
  // A mouse in the oldest encoding: three characters follow. Nobody asked for it.
  if (body.startsWith("[M")) return text.length < 6 ? null : { event: null, length: 6 };
  const match = /^\[([0-?]*)([ -/]*)([@-~])/.exec(body);
  if (match === null) {
    const begun = /^\[\[?[0-?]*[ -/]*/.exec(body)?.[0] ?? "[";
    return begun === text.slice(1) ? null : { event: null, length: 1 + begun.length };
  }
  const [whole, parameters = "", between = "", final = ""] = match;
  const length = 1 + whole.length;
  if (between !== "") return { event: null, length };
  if (parameters === "200" && final === "~") return { event: "paste", length };
  return { event: parseSequence({ parameters, final }), length };
}

/** `SS3 A`: arrows and function keys of the application mode, with modifiers in a few terminals. */
function readShifted(text: string): ReadEscape | null {
  const match = /^O([0-9]?)([ -/:-~])/.exec(text.slice(1));
  if (match === null) return /^O[0-9]?$/.test(text.slice(1)) ? null : { event: key("alt+O"), length: 2 };
  const [whole, modifiers = "", letter = ""] = match;
  const name = letter === "M" ? "enter" : letterKeys[letter];
  const isKnown = name !== undefined && letter !== "Z";
  return { event: isKnown ? key(withModifiers(name, Number(modifiers || 1))) : null, length: 1 + whole.length };
}

/** OSC, DCS, APC, PM, SOS: up to ST or BEL, or to another escape, which ends it unfinished. */
function readString(text: string): ReadEscape | null {
  const [bell, escape] = ["\u0007", "\u001b"]
    .map((end) => text.indexOf(end, 2))
    .map((at) => (at < 0 ? Number.POSITIVE_INFINITY : at));
  const end = Math.min(bell ?? 0, escape ?? 0);
  if (end > longestString) return text.length < longestString ? null : { event: null, length: longestString };
  const isEscape = end === escape;
  if (isEscape && text[end + 1] === undefined) return null;
  const terminator = isEscape ? (text[end + 1] === "\\" ? 2 : 0) : 1;
  const [kind, body] = [text[1], text.slice(2, end)];
  return { event: parseString(kind, body), length: end + terminator };
}

function parseString(kind: string | undefined, body: string): InputEvent | null {
  if (kind === "]") return parseCommand(body);
  if (kind === "P") return parseDeviceControl(body);
  return kind === "_" ? parseApplicationCommand(body) : null;
}

/** Two escapes: the key twice, or one that is held with alt (rxvt). */
function readDouble(text: string, outlook: Outlook): ReadEscape | null {
  const escape: ReadEscape = { event: key("escape"), length: 1 };
  if (text.length === 2) return outlook === "nothing more comes" ? escape : null;
  if (text[2] !== "[" && text[2] !== "O") return escape;
  const inner = readEscape(text.slice(1), "more may come");
  if (inner === null) return outlook === "nothing more comes" ? escape : null; // the start of a late reply must not count as a key with Alt
  const { event } = inner;
  if (event === null || event === "paste" || event.type !== "key") return escape;
  return { event: key(withAlt(event.name)), length: 1 + inner.length };
}

function withAlt(name: string): string {
  if (name.includes("alt+")) return name;
  return name.startsWith("ctrl+") ? `ctrl+alt+${name.slice(5)}` : `alt+${name}`;
}

function key(name: string): InputEvent {
  return { type: "key", name, text: null };
}
