/** Commander wraps nothing to less. */
const narrowest = 40;

/**
 * The help for a terminal of this many columns, as Commander would have wrapped it; `text`: what it writes where there is no
 * terminal, which has each description in one line.
 */
export function wrapHelp(text: string, columns: number): string {
  const indent = /^ {2}\S+(?: \S+)* {2,}/m.exec(text)?.[0] ?? "";
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("Usage:")) return line;
      const before = line.startsWith("  ") ? line.slice(0, indent.length) : "";
      const rows = wrap(line.slice(before.length), columns - before.length);
      return before + rows.join(`\n${" ".repeat(before.length)}`);
    })
    .join("\n");
}

function wrap(line: string, width: number): readonly string[] {
  if (width < narrowest) return [line];
  const rows: string[] = [];
  let row = "";
  for (const word of line.match(/\s*\S+/g) ?? []) {
    if (row === "" || row.length + word.length <= width) row += word;
    else {
      rows.push(row);
      row = word.trimStart();
    }
  }
  return [...rows, row];
}
