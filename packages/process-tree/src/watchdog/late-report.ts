/** A report that may come late: with what is reported next, as a rule, to wake its reader half as often. */
export interface LateReport {
  readonly atOnce: () => void;
  readonly soon: () => void;
  /** Nothing is reported any more. */
  readonly stop: () => void;
}

/** How late, in ms. The number of a group that is over is not given out again so soon. */
const idleMs = 50;

export function createLateReport(report: () => void): LateReport {
  let timer: NodeJS.Timeout | null = null;

  function stop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function atOnce(): void {
    stop();
    report();
  }

  return { atOnce, soon: () => (timer ??= setTimeout(atOnce, idleMs).unref()), stop };
}
