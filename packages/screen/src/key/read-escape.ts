import type { InputEvent } from "./input-event.ts";
import { letterKeys, nameControl, withModifiers } from "./names.ts";
import type { Outlook } from "./outlook.ts";
import { parseCommand, parseSequence } from "./parse-sequence.ts";

/** What an escape at the start of a text stands for, and how many characters it takes. `paste`: a bracketed paste begins. */
export interface ReadEscape {
  readonly event: InputEvent | "paste" | null;
  readonly length: number;
}

/** Reads the sequence at the start of `text`, which is an escape; null where it may go on and its end did not come. */
export function readEscape(text: string, outlook: Outlook): ReadEscape | null {
  const next = text[1];
  const isOver = outlook === "nothing more comes";
  if (next === undefined) return isOver ? { event: key("escape"), length: 1 } : null;
  if (next === "[") return readControlSequence(text) ?? (isOver ? { event: key("alt+["), length: 2 } : null);
  if (next === "O") return readShifted(text) ?? (isOver ? { event: key("alt+O"), length: 2 } : null);
  if ("]P_^X".includes(next)) return readString(text) ?? (isOver ? { event: key(`alt+${next}`), length: 2 } : null);
  if (next === "\u001b") return readDouble(text, outlook);
  const character = String.fromCodePoint(text.codePointAt(1) ?? 0);
  const code = character.charCodeAt(0);
  const name = code < 32 || code === 127 ? nameControl(code) : character === " " ? "space" : character;
  return {
    event: key(name.startsWith("ctrl+") ? `ctrl+alt+${name.slice(5)}` : `alt+${name}`),
    length: 1 + character.length,
  };
}

/** The longest sequence that is waited for; one that goes on is no sequence. */
const longestSequence = 128;
const longestString = 64 * 1024;

function readControlSequence(text: string): ReadEscape | null {
  // The Linux console's function keys.
  const console = /^\u001b\[\[([A-E])/.exec(text);
  if (console !== null) return { event: key(`f${(console[1]?.charCodeAt(0) ?? 65) - 64}`), length: 4 };
  // A mouse in the oldest encoding: three characters follow. Nobody asked for it.
  if (text.startsWith("\u001b[M")) return text.length < 6 ? null : { event: null, length: 6 };
  const match = /^\u001b\[([0-?]*)([ -/]*)([@-~])/.exec(text);
  if (match === null) {
    const isCut = /^\u001b\[\[?[0-?]*[ -/]*$/.test(text) && text.length < longestSequence;
    return isCut ? null : { event: null, length: /^\u001b\[\[?[0-?]*[ -/]*/.exec(text)?.[0].length ?? 2 };
  }
  const [whole, parameters = "", between = "", final = ""] = match;
  if (between !== "") return { event: null, length: whole.length };
  if (parameters === "200" && final === "~") return { event: "paste", length: whole.length };
  return { event: parseSequence({ parameters, final }), length: whole.length };
}

/** `SS3 A`: arrows and function keys of the application mode, with modifiers in a few terminals. */
function readShifted(text: string): ReadEscape | null {
  const match = /^\u001bO([0-9]*)([ -~])/.exec(text);
  if (match === null)
    return /^\u001bO[0-9]*$/.test(text) && text.length < 8 ? null : { event: key("alt+O"), length: 2 };
  const [whole, modifiers = "", letter = ""] = match;
  const name = letter === "M" ? "enter" : letterKeys[letter];
  const event =
    name === undefined || letter === "Z" ? null : key(withModifiers(name, modifiers === "" ? 1 : Number(modifiers)));
  return { event, length: whole.length };
}

/** OSC, DCS, APC, PM, SOS: up to ST or BEL. */
function readString(text: string): ReadEscape | null {
  // oxlint-disable-next-line no-control-regex -- BEL and ESC end it
  const end = /\u0007|\u001b\\|\u001b(?=[^\\])/.exec(text.slice(2, longestString));
  if (end === null) return text.length < longestString ? null : { event: null, length: longestString };
  const body = text.slice(2, 2 + end.index);
  return {
    event: text[1] === "]" ? parseCommand(body) : null,
    length: 2 + end.index + end[0].length - (end[0] === "\u001b" ? 1 : 0),
  };
}

/** Two escapes: the key twice, or one that is held with alt (rxvt). */
function readDouble(text: string, outlook: Outlook): ReadEscape | null {
  if (text.length === 2) return outlook === "nothing more comes" ? { event: key("escape"), length: 1 } : null;
  const inner = text[2] === "[" || text[2] === "O" ? readEscape(text.slice(1), outlook) : null;
  if (inner === null)
    return (text[2] === "[" || text[2] === "O") && outlook === "more may come"
      ? null
      : { event: key("escape"), length: 1 };
  const { event } = inner;
  if (event === null || event === "paste" || event.type !== "key") return { event: key("escape"), length: 1 };
  return { event: key(event.name.includes("alt+") ? event.name : withAlt(event.name)), length: 1 + inner.length };
}

function withAlt(name: string): string {
  return name.startsWith("ctrl+") ? `ctrl+alt+${name.slice(5)}` : `alt+${name}`;
}

function key(name: string): InputEvent {
  return { type: "key", name, text: null };
}
