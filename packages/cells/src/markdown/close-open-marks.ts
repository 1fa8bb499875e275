/**
 * Closes the open marks of a paragraph that is still being written, so that it already looks as it will when they are closed.
 * Only for live text.
 */
export function closeOpenMarks(text: string): string {
  const start = text.lastIndexOf("\n\n") + 1;
  const [before, last] = [text.slice(0, start), text.slice(start)];
  return (
    before + closeMarks(withoutHalfLink(last.replace(/(?:\*+|_+|~+)$/, (mark) => (opens(last, mark) ? "" : mark))))
  );
}

/** Whether the marks at the end of the text close nothing. */
function opens(text: string, mark: string): boolean {
  const head = text.slice(0, -mark.length);
  return !/\S$/.test(head) || head.split(mark).length % 2 === 1;
}

/** `[text](http://…` as its text. */
function withoutHalfLink(text: string): string {
  return text.replace(/!?\[([^[\]\n]*)(?:\](?:\([^()\s]*)?)?$/, "$1");
}

function closeMarks(text: string): string {
  if ((text.match(/`/g) ?? []).length % 2 === 1) return `${text}\``;
  const plain = text.replaceAll(/`[^`]*`/g, "");
  const closing: string[] = [];
  for (const mark of ["**", "~~", "*", "_"]) {
    const rest = mark === "*" ? plain.replaceAll("**", "").replaceAll(/^\s*\*\s/gm, "") : plain;
    const opening = mark === "_" ? /(?<!\w)_|_(?!\w)/g : null;
    const count = opening === null ? rest.split(mark).length - 1 : (rest.match(opening) ?? []).length;
    if (count % 2 === 1 && isOpened(rest, mark)) closing.unshift(mark);
  }
  return text.trimEnd() + closing.join("");
}

/** A mark opens only in front of a character. */
function isOpened(text: string, mark: string): boolean {
  const at = text.lastIndexOf(mark);
  return /^\S/.test(text.slice(at + mark.length));
}
