/**
 * The text with everything that has no look of its own written out as `\u{202e}`: control characters but line feed and
 * tab, what changes the direction of writing, what takes no room, line and paragraph separators, halves of surrogate
 * pairs. For a dialog in which a person must see what is really there; it cannot be turned back.
 */
export function showHidden(text: string): string {
  return text.replaceAll(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

// Last: fillers and joiners that are letters or marks by category, but show nothing.
const hidden = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\u034f|[\u115f\u1160\u3164\uffa0]|\u17b4|\u17b5/gu;
