import type { Clock } from "@unroll/flow";

/** Turns that run at the same time. */
export interface TurnCount {
  readonly all: number;
  /** How many of them wait for an answer of the person, or for sub-agents. */
  readonly resting: number;
}

/** Time that does not pass while all turns rest. */
export interface TurnTime {
  /** Ms since it was created, without pauses. */
  passedMs(): number;
  readonly turns: TurnCount;
  add(change: TurnCount): void;
}

export interface TurnTimeOptions {
  readonly clock: Pick<Clock, "elapsed">;
  /** Turns that run already. Absent: none. */
  readonly turns?: TurnCount;
  /** Called when the time stops or continues. */
  readonly onPause?: (isPaused: boolean) => void;
}

/** Without a turn, time passes: the limit of a program counts from its start. */
export function createTurnTime({ clock, turns = { all: 0, resting: 0 }, onPause }: TurnTimeOptions): TurnTime {
  let since = clock.elapsed();
  let pausedAt = isAllResting(turns) ? since : null;
  const time = {
    turns,
    passedMs: () => (pausedAt ?? clock.elapsed()) - since,
    add({ all, resting }: TurnCount): void {
      time.turns = { all: time.turns.all + all, resting: time.turns.resting + resting };
      const isPaused = isAllResting(time.turns);
      if (isPaused === (pausedAt !== null)) return;
      if (pausedAt !== null) since += clock.elapsed() - pausedAt;
      pausedAt = isPaused ? clock.elapsed() : null;
      onPause?.(isPaused);
    },
  };
  return time;
}

function isAllResting({ all, resting }: TurnCount): boolean {
  return resting > 0 && resting === all;
}
