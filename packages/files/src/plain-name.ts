/**
 * A name that is safe as a part of a file's name: letters, digits, `-`, `_` and `.`, a letter or digit first, at most
 * 64 characters.
 */
export const plainNamePattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";

/** Whether a text is such a name. */
export function isPlainName(text: string): boolean {
  return new RegExp(plainNamePattern).test(text);
}
