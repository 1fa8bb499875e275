/** The offset behind the comma that comes next, blanks and comments aside; null where something else does. */
export function findCommaEnd(text: string, from: number): number | null {
  const blank = /(?:\s|#[^\n]*)*/y;
  blank.lastIndex = from;
  const at = from + (blank.exec(text)?.[0].length ?? 0);
  return text[at] === "," ? at + 1 : null;
}
