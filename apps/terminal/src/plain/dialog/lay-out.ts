import type { AskedPart } from "@unroll/cells";
import { foldLine, showHidden } from "@unroll/text";

/** What is shown line by line of a part: its looks are not. */
export type PlainPart = Pick<AskedPart, "label" | "text">;

const labelWidth = 9;
const tabWidth = 4;

/**
 * What is asked as rows: whole, with hidden characters written out, and each row behind a mark of ours, so that none can
 * pose as ours. A line that is too long for `columns` (null: none is) goes on in the next row, behind another mark.
 */
export function layOut(parts: readonly PlainPart[], columns: number | null): readonly string[] {
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
