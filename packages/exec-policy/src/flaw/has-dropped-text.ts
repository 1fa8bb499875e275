interface Span {
  readonly pos: number;
  readonly end: number;
}

const blank = /^(?:[ \t]|\\\n)*$/;
const parenthesisNext = /(?:[ \t]|\\\n)*\(/y;

/**
 * Whether something but blanks stands between the words of one command, or a parenthesis after the last. `unbash` 6.0.4
 * drops a stray parenthesis there without an error (`ls (x`, `ls (`): Bash runs nothing then, zsh reads a glob.
 */
export function hasDroppedText(words: readonly Span[], source: string): boolean {
  const inOrder = words.toSorted((a, b) => a.pos - b.pos);
  const last = inOrder.at(-1);
  if (last === undefined) return false;
  parenthesisNext.lastIndex = last.end;
  if (parenthesisNext.test(source)) return true;
  return inOrder.some((word, index) => {
    const next = inOrder[index + 1];
    return next !== undefined && !blank.test(source.slice(word.end, next.pos));
  });
}
