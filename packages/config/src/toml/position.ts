/** Both from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Offset to line and column. The lines are counted once: each key of a file is asked for. */
export function createPositionFinder(text: string): (offset: number) => TextPosition {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => {
    let [line, end] = [1, starts.length];
    while (line < end) {
      const middle = Math.ceil((line + end) / 2);
      if ((starts[middle - 1] ?? 0) <= offset) line = middle;
      else end = middle - 1;
    }
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}
