import type { ChoiceRoom, ScreenSize } from "@unroll/screen";
import type { UiState } from "./ui-state.ts";

/** Besides the dialogue: an empty row, how many are behind it, the status line, and a row of what was written before. */
const otherRows = 4;

/** What a dialogue may take of the screen. */
export function toDialogRoom({ dialogs }: Pick<UiState, "dialogs">, { columns, rows }: ScreenSize): ChoiceRoom {
  return { columns, maxRows: Math.max(6, rows - otherRows - (dialogs.length > 1 ? 1 : 0)) };
}
