import type { Clock } from "@unroll/flow";
import type { ProcessTerminal } from "@unroll/program";
import type { CellPosition, Screen } from "@unroll/screen";
import type { PositionAnswers } from "./position-answers.ts";

/** Sizes stop coming; the terminal answers where its cursor is. In ms. */
const settleMs = 60;
const answerMs = 100;

export interface SettleOptions {
  readonly terminal: Pick<ProcessTerminal, "size" | "output">;
  readonly clock: Pick<Clock, "setTimer">;
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

  function ask(): void {
    if (isCovered()) return onSettled();
    const asked = changes;
    const take = (position: CellPosition | null): void => {
      if (asked !== changes) return; // the size has changed again, and was asked for again
      if (screen.isSettling()) screen.settle(position);
      onSettled();
    };
    terminal.output.write(answers.ask(answerMs, take));
  }

  return () => {
    changes += 1;
    screen.resize(terminal.size());
    stopWaiting();
    stopWaiting = clock.setTimer(settleMs, ask);
  };
}
