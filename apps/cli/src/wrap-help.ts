/** A description in fewer columns than these stands below what it describes. */
const narrowest = 24;
const below = " ".repeat(6);

/** The help for a terminal of this many columns; `text`: as Commander writes it where no line is too long. */
export function wrapHelp(text: string, columns: number): string {
  const indent = /^ {2}\S+(?: \S+)* {2,}/m.exec(text)?.[0].length ?? 0;
  return text
    .split("\n")
    .map((line) => wrapLine(line, indent, columns))
    .join("\n");
}

function wrapLine(line: string, indent: number, columns: number): string {
  if (!line.startsWith("  ")) return wrap(line, columns).join("\n");
  const [term, description] = [line.slice(0, indent), line.slice(indent)];
  if (columns - indent >= narrowest) return term + wrap(description, columns - indent).join(`\n${" ".repeat(indent)}`);
  return [term.trimEnd(), ...wrap(description, columns - below.length).map((row) => below + row)].join("\n");
}

/** A word that is too long has a row of its own. */
function wrap(line: string, width: number): readonly string[] {
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
