import type { Clock } from "@unroll/flow";
import type { ProcessTerminal } from "@unroll/program";
import { control, type Screen } from "@unroll/screen";

/** Sizes stop coming; the terminal answers where its cursor is. In ms. */
const settleMs = 60;
const answerMs = 100;

export interface SettleOptions {
  readonly terminal: Pick<ProcessTerminal, "size" | "output">;
  readonly clock: Pick<Clock, "setTimer">;
  readonly screen: Screen;
  /** Whether the screen is covered: then it is settled when it is seen again. */
  readonly isCovered: () => boolean;
  readonly onSettled: () => void;
}

/** What a change of the window's size leads to: called with each, it settles the screen behind the last. */
export function createSettling({ terminal, clock, screen, isCovered, onSettled }: SettleOptions): () => void {
  let stopWaiting = (): void => {};

  function giveUp(): void {
    if (screen.isSettling()) screen.settle(null);
    onSettled();
  }

  function ask(): void {
    if (isCovered()) return onSettled();
    terminal.output.write(control.askPosition);
    stopWaiting = clock.setTimer(answerMs, giveUp);
  }

  return () => {
    screen.resize(terminal.size());
    stopWaiting();
    stopWaiting = clock.setTimer(settleMs, ask);
  };
}
