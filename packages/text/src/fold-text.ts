/** Words of ours in rows of at most `columns` cells, each as far in as its line. Codes of colours take no cell. */
export function foldText(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => {
      const [margin = ""] = /^ */.exec(line) ?? [];
      const rows = foldLine(line.slice(margin.length), Math.max(20, columns - margin.length));
      return rows.map((row, turn) => margin + (turn === rows.length - 1 ? row : row.trimEnd())).join("\n");
    })
    .join("\n");
}

/** Behind a blank where one is near the end of the row. */
export function foldLine(line: string, room: number): readonly string[] {
  const rows: string[] = [];
  let row = "";
  let width = 0;
  for (const character of splitCells(line)) {
    if (width + countCells(character) > room) {
      const blank = row.lastIndexOf(" ") + 1;
      const end = blank > row.length / 2 ? blank : row.length;
      rows.push(row.slice(0, end));
      row = row.slice(end);
      width = countColumns(row);
    }
    row += character;
    width += countCells(character);
  }
  return [...rows, row];
}

/** The cells of a text in a terminal, at most: see `foldLine`. */
export function countColumns(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of splitCells(text)) width += countCells(character);
  return width;
}

// oxlint-disable-next-line no-control-regex -- the code of a colour begins with one
const colour = /(\u001b\[[\d;]*m)/;

/** Characters, and the codes of colours as one each. */
function splitCells(text: string): readonly string[] {
  return text.split(colour).flatMap((part, index) => (index % 2 === 1 ? [part] : Array.from(part)));
}

/**
 * At most: from Hangul on, characters may be two cells wide. A row that ends early is harmless, one that wraps is not.
 */
function countCells(character: string): number {
  if (character.length > 2) return 0; // a code of a colour
  return (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;
}
