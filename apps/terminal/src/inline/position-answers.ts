import type { Clock } from "@unroll/flow";
import { type CellPosition, control } from "@unroll/screen";

/** Asks the terminal for the position of its cursor. Answers go to the questions in order. */
export interface PositionAnswers {
  /** Returns the bytes to write. `take` gets the position, from 1, or null if no answer came within `waitMs`. */
  ask(waitMs: number, take: (position: CellPosition | null) => void): string;
  /** The terminal answered. */
  answer(position: CellPosition): void;
}

interface Asked {
  readonly take: (position: CellPosition | null) => void;
  readonly stopWaiting: () => void;
  /** Until then, a late answer may still come, which is not for a later question. In ms of the clock. Null: not given up yet. */
  lateUntil: number | null;
}

/** How much later an answer may come on a slow line, in ms. After that, the terminal never answers. */
const lateMs = 2000;

export function createPositionAnswers(clock: Pick<Clock, "elapsed" | "setTimer">): PositionAnswers {
  let open: readonly Asked[] = [];

  function giveUp(asked: Asked): void {
    asked.lateUntil = clock.elapsed() + lateMs;
    asked.take(null);
  }

  return {
    ask(waitMs, take) {
      const asked: Asked = { take, lateUntil: null, stopWaiting: clock.setTimer(waitMs, () => giveUp(asked)) };
      open = [...open.filter((each) => !isForgotten(each, clock.elapsed())), asked];
      return control.askPosition;
    },
    answer(position) {
      const [asked, ...later] = open.filter((each) => !isForgotten(each, clock.elapsed()));
      open = later;
      if (asked === undefined || asked.lateUntil !== null) return;
      asked.stopWaiting();
      asked.take(position);
    },
  };
}

function isForgotten({ lateUntil }: Asked, now: number): boolean {
  return lateUntil !== null && lateUntil <= now;
}
