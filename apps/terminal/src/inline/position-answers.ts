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
  /** Nobody waits for it any more; but until then it may still come, and is no answer to a later question. In ms of the clock. */
  lateUntil: number | null;
}

/** On a slow line answers come so much later than they are of use, in ms; by then a terminal that has not answered never does. */
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
