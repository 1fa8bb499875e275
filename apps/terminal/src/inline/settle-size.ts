import type { Clock } from "@unroll/flow";
import type { ProcessTerminal } from "@unroll/program";
import type { CellPosition, Screen } from "@unroll/screen";
import type { PositionAnswers } from "./position-answers.ts";

/**
 * Sizes stop coming; the terminal answers where its cursor is. In ms. A hand that drags a window's edge rests now and then: after a second
 * change the window is given more time, because whatever is painted while it changes may be left in the scrollback.
 */
const settleMs = 60;
const draggedMs = 400;
const dragGapMs = 1000;
const answerMs = 100;

export interface SettleOptions {
  readonly terminal: Pick<ProcessTerminal, "size" | "output">;
  readonly clock: Pick<Clock, "elapsed" | "setTimer">;
  readonly answers: PositionAnswers;
  readonly screen: Screen;
  /** Whether the screen is covered: then it is settled when it is seen again. */
  readonly isCovered: () => boolean;
  readonly onSettled: () => void;
}

/** Call it with each change of the window's size: after the last one, it settles the screen. */
export function createSettling({ terminal, clock, answers, screen, isCovered, onSettled }: SettleOptions): () => void {
  let stopWaiting = (): void => {};
  let changes = 0;
  let changedAt = Number.NEGATIVE_INFINITY;

  function ask(): void {
    if (isCovered()) return onSettled();
    const asked = changes;
    const take = (position: CellPosition | null): void => {
      terminal.size(); // which reports a change
      if (asked !== changes) return; // the size has changed again, and was asked for again
      if (screen.isSettling()) screen.settle(position);
      onSettled();
    };
    terminal.output.write(answers.ask(answerMs, take));
  }

  return () => {
    const size = terminal.size();
    const now = clock.elapsed();
    changes += 1;
    screen.resize(size);
    stopWaiting();
    stopWaiting = clock.setTimer(now - changedAt < dragGapMs ? draggedMs : settleMs, ask);
    changedAt = now;
  };
}
