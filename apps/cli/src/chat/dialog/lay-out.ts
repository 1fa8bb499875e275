import { showHidden } from "@unroll/text";

/** Something that is asked, with our word for what it is. */
export interface AskedPart {
  /** At most `labelWidth` characters, and ours: never a word of what is asked. */
  readonly label: string;
  readonly text: string;
}

const labelWidth = 9;
const tabWidth = 4;

/**
 * What is asked as rows: whole, with hidden characters written out, and each row behind a mark of ours, so that none can
 * pose as ours. A line that is too long for `columns` (null: none is) goes on in the next row, behind another mark.
 */
export function layOut(parts: readonly AskedPart[], columns: number | null): readonly string[] {
  const room = columns === null ? Infinity : Math.max(20, columns - labelWidth - 6);
  return parts.flatMap(({ label, text }) =>
    showHidden(text)
      .replaceAll("\t", " ".repeat(tabWidth))
      .split("\n")
      .flatMap((line, index) =>
        fold(line, room).map((row, turn) => {
          const head = index === 0 && turn === 0 ? label : "";
          return `  ${head.padStart(labelWidth)} ${turn === 0 ? "│" : "↪"} ${row}`.trimEnd();
        }),
      ),
  );
}

/** Behind a blank where one is near the end of the row. */
function fold(line: string, room: number): readonly string[] {
  const rows: string[] = [];
  let row = "";
  let width = 0;
  for (const character of line) {
    if (width + countCells(character) > room) {
      const blank = row.lastIndexOf(" ") + 1;
      const end = blank > row.length / 2 ? blank : row.length;
      rows.push(row.slice(0, end));
      row = row.slice(end);
      width = countWidth(row);
    }
    row += character;
    width += countCells(character);
  }
  return [...rows, row];
}

function countWidth(text: string): number {
  let width = 0;
  for (const character of text) width += countCells(character);
  return width;
}

/** At most: from Hangul on, characters may be two cells wide. A row that ends early is no loss, one that wraps is. */
function countCells(character: string): number {
  return (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;
}
