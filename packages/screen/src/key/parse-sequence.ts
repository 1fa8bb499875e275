import type { InputEvent } from "./input-event.ts";
import { codeKeys, keypadFirst, keypadText, letterKeys, numberKeys, withModifiers } from "./names.ts";

/** A control sequence (`CSI … final`), in its parts: parameters with their `;` and `:`, then the letter that ends it. */
export interface ControlSequence {
  readonly parameters: string;
  readonly final: string;
}

/** The event that a control sequence stands for; null for one that means nothing to us. */
export function parseSequence(sequence: ControlSequence): InputEvent | null {
  const { parameters, final } = sequence;
  if (/^[<=>?]/.test(parameters)) return parseReply(sequence);
  const [first = [], second = [], third = []] = parameters.split(";").map((part) => part.split(":").map(Number));
  const [code = 0, modifiers = 1] = [first[0], second[0]];
  const isReleased = second[1] === 3;
  if (isReleased) return null;
  if (final === "u") return codeEvent(code, modifiers, third);
  if (final === "~") {
    if (code === 27) return codeEvent(third[0] ?? 0, modifiers, []); // modifyOtherKeys
    return keyEvent(numberKeys[code], modifiers);
  }
  if (final === "R" && parameters.includes(";")) return { type: "reply.position", row: code, column: modifiers };
  if (final === "I" || final === "O") return { type: "focus", isFocused: final === "I" };
  return keyEvent(letterKeys[final], final === "Z" ? 2 : modifiers);
}

/** The event of an operating system command (`OSC … ST`) that answers a question; null for all others. */
export function parseCommand(command: string): InputEvent | null {
  const match = /^11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(command);
  if (match === null) return null;
  const [red = 0, green = 0, blue = 0] = match
    .slice(1)
    .map((digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
  return { type: "reply.background", red, green, blue };
}

/** The event of a device control string (`DCS … ST`) that answers a question; null for all others. */
export function parseDeviceControl(text: string): InputEvent | null {
  return text.startsWith(">|")
    ? { type: "reply.version", version: text.slice(2, 200).replaceAll(/\p{Cc}/gu, "") }
    : null;
}

/** The event of an application program command (`APC … ST`) that answers a question; null for all others. */
export function parseApplicationCommand(text: string): InputEvent | null {
  const [, answer] = /^Gi=31[^;]*;(.*)/s.exec(text) ?? [];
  return answer === undefined ? null : { type: "reply.pictures", isTaken: answer === "OK" };
}

function parseReply({ parameters, final }: ControlSequence): InputEvent | null {
  if (final === "m" && parameters.startsWith(">4;"))
    return { type: "reply.keyboard", tellsModifiers: parameters !== ">4;0" };
  if (!parameters.startsWith("?")) return null;
  const numbers = parameters.slice(1).split(";").map(Number);
  if (final === "c") return { type: "reply.attributes", attributes: numbers };
  if (final === "u") return { type: "reply.keyboard", tellsModifiers: ((numbers[0] ?? 0) & 1) === 1 };
  if (final === "n" && numbers[0] === 997) return { type: "reply.scheme", scheme: numbers[1] === 2 ? "light" : "dark" };
  return null;
}

function keyEvent(name: string | undefined, modifiers: number): InputEvent | null {
  return name === undefined ? null : { type: "key", name: withModifiers(name, modifiers), text: null };
}

/** A key by its code point, as in kitty's protocol and modifyOtherKeys. A modifier key alone (shift) is not an event. */
function codeEvent(code: number, modifiers: number, typed: readonly number[]): InputEvent | null {
  const named = codeKeys[code];
  if (named !== undefined) {
    const isTyped = code === 32 && (modifiers - 1) % 64 <= 1;
    return isTyped ? { type: "key", name: "space", text: " " } : keyEvent(named, modifiers);
  }
  const keypad = keypadText[code - keypadFirst];
  if (keypad === undefined && (code < 32 || (code >= 0xe000 && code <= 0xf8ff) || !isCharacter(code))) return null;
  const character = keypad ?? String.fromCodePoint(code);
  const held = (modifiers - 1) & ~(64 | 128); // the locks change nothing
  if (held > 1) return { type: "key", name: withModifiers(character.toLowerCase(), held + 1), text: null };
  const given = typed
    .filter(isCharacter)
    .map((each) => String.fromCodePoint(each))
    .join("");
  const text = given === "" ? (held === 1 ? character.toUpperCase() : character) : given;
  return { type: "key", name: text, text };
}

function isCharacter(code: number): boolean {
  return code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && !(code >= 127 && code < 160);
}
