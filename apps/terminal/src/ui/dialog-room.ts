import type { ChoiceRoom, ScreenSize } from "@unroll/screen";
import type { UiState } from "./ui-state.ts";

/** Besides the dialogue: an empty row, how many are behind it, the status line, and a row of what was written before. */
const otherRows = 4;

/** In a window with no more rows there is nothing besides it but the status line, and the row that stays free. */
const smallRows = 10;

/** What a dialogue may take of the screen. */
export function toDialogRoom({ dialogs }: Pick<UiState, "dialogs">, { columns, rows }: ScreenSize): ChoiceRoom {
  if (rows < smallRows) return { columns, maxRows: Math.max(2, rows - 2) };
  return { columns, maxRows: rows - otherRows - (dialogs.length > 1 ? 1 : 0) };
}
