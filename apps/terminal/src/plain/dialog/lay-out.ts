import { foldLine, showHidden } from "@unroll/text";

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
        foldLine(line, room).map((row, turn) => {
          const head = index === 0 && turn === 0 ? label : "";
          return `  ${head.padStart(labelWidth)} ${turn === 0 ? "│" : "↪"} ${row}`.trimEnd();
        }),
      ),
  );
}
