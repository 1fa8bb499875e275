import { showHidden } from "@unroll/text";
import type { TitleState } from "../driver.ts";
import type { UiState } from "./ui-state.ts";

/** The title of the terminal's window. */
export interface TerminalTitle {
  /** Sets the renderer of the title; null: the title stays the terminal's own. */
  render: ((state: TitleState) => string) | null;
  /** The control sequence for the title of this state; empty: it is shown already. */
  update(ui: UiState): string;
  /** The sequence that `restore` would give. */
  readonly saved: string;
  /** The control sequence that restores the title that the terminal had; empty: it has it. */
  restore(): string;
}

/** Saves the terminal's title on its stack (xterm's window operations). */
const save = "\u001b[22;2t";
/** Terminals without such a stack show their own title when it is empty. */
const giveBack = "\u001b]2;\u001b\\\u001b[23;2t";

export function createTerminalTitle(): TerminalTitle {
  let shown: string | null = null;
  let hasWorked = false;

  function findState({ dialogs, work }: UiState): TitleState {
    hasWorked ||= work.type === "running";
    if (dialogs.length > 0) return "needs you";
    if (work.type === "running") return "working";
    return hasWorked ? "done" : null;
  }

  const own: TerminalTitle = {
    render: null,
    update(ui) {
      const title = own.render?.(findState(ui)) ?? null;
      if (title === null || title === shown) return "";
      const before = shown === null ? save : "";
      shown = title;
      return `${before}\u001b]2;${showHidden(title)}\u001b\\`;
    },
    get saved() {
      return shown === null ? "" : giveBack;
    },
    restore() {
      const { saved } = own;
      shown = null;
      return saved;
    },
  };
  return own;
}
