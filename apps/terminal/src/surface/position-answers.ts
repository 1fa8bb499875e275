import type { Clock } from "@unroll/flow";
import { type CellPosition, control } from "@unroll/screen";

/** Where the terminal's cursor is, as it says itself: whoever asks gets the answer, in the order of the questions. */
export interface PositionAnswers {
  /** Returns what is to be written. `take` gets the answer, from 1, or null where none came in `waitMs`. */
  ask(waitMs: number, take: (position: CellPosition | null) => void): string;
  /** The terminal answered. */
  answer(position: CellPosition): void;
}

interface Asked {
  readonly take: (position: CellPosition | null) => void;
  readonly stopWaiting: () => void;
}

export function createPositionAnswers(clock: Pick<Clock, "setTimer">): PositionAnswers {
  const open: Asked[] = [];
  return {
    ask(waitMs, take) {
      const stopWaiting = clock.setTimer(waitMs, () => {
        open.splice(open.indexOf(asked), 1);
        take(null);
      });
      const asked = { take, stopWaiting };
      open.push(asked);
      return control.askPosition;
    },
    answer(position) {
      const asked = open.shift();
      asked?.stopWaiting();
      asked?.take(position);
    },
  };
}
