const encoder = new TextEncoder();

/** How many bytes the text takes in UTF-8; a half of a surrogate pair counts as the 3 of U+FFFD that is written for it. */
export function countBytes(text: string): number {
  return encoder.encode(text).length;
}
