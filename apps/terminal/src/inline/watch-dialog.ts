import type { Clock } from "@unroll/flow";
import { showChoice } from "@unroll/screen";
import type { OpenDialog, UiState } from "./ui-state.ts";
import type { PositionAnswers } from "./position-answers.ts";

/** Longer than any line takes, in ms: after that, the terminal never answers. */
const sightMs = 1000;

export interface WatchedUi {
  ui: UiState;
}

/**
 * Finds out when you can have seen a painted dialog: when the terminal answers a question that was written behind the frame. Keys typed
 * before come before that answer, however slow the line is. Call it after each frame; it returns the bytes to write behind the frame.
 */
export function createDialogWatch(
  screen: WatchedUi,
  answers: PositionAnswers,
  clock: Pick<Clock, "elapsed">,
): () => string {
  let asked: OpenDialog["choice"]["options"] | null = null;

  return () => {
    const [dialog] = screen.ui.dialogs;
    if (dialog === undefined || dialog.choice.quietSince !== null) return "";
    const { options } = dialog.choice;
    if (asked === options) return "";
    asked = options;
    return answers.ask(sightMs, () => {
      screen.ui = {
        ...screen.ui,
        dialogs: screen.ui.dialogs.map((each) => markSeen(each, options, clock.elapsed())),
      };
    });
  };
}

/** The page of a dialog is known by its options: what is typed into it does not change them. */
function markSeen(dialog: OpenDialog, options: OpenDialog["choice"]["options"], at: number): OpenDialog {
  return dialog.choice.options === options ? { ...dialog, choice: showChoice(dialog.choice, at) } : dialog;
}
