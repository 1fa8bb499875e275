/** If descriptions would get fewer columns than this, they go below their terms. */
const narrowest = 24;
/** A longer term, such as `--dangerously-bypass-approvals-and-sandbox`, has a row to itself, so that it narrows no other row. */
const longestTerm = 28;
const below = 6;

interface Layout {
  /** Where descriptions start in the text. */
  readonly indent: number;
  /** Where they start on the screen. */
  readonly margin: number;
  readonly columns: number;
}

/** The help for a terminal of this many columns; `text`: as Commander writes it when no line is too long. */
export function wrapHelp(text: string, columns: number): string {
  const indent = /^ {2}\S+(?: \S+)* {2,}/m.exec(text)?.[0].length ?? 0;
  const lines = text.split("\n");
  const terms = lines.filter((line) => line.startsWith("  ")).map((line) => line.slice(0, indent).trimEnd().length);
  const widest = Math.max(...terms.filter((length) => length <= longestTerm));
  const isNarrow = columns < Math.max(...lines.map((line) => line.length));
  const layout = { indent, margin: isNarrow && widest > 0 ? widest + 2 : indent, columns };
  return lines.map((line) => wrapLine(line, layout)).join("\n");
}

function wrapLine(line: string, { indent, margin, columns }: Layout): string {
  if (!line.startsWith("  ")) return wrap(line, columns).join("\n");
  const [term, description] = [line.slice(0, indent).trimEnd(), line.slice(indent)];
  const isBeside = columns - margin >= narrowest;
  const left = isBeside ? margin : below;
  const rows = wrap(description, columns - left).map((row) => " ".repeat(left) + row);
  const [first = "", ...more] = rows;
  const head = isBeside && term.length + 2 <= margin ? [term + first.slice(term.length)] : [term, first];
  return [...head, ...more].join("\n");
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
