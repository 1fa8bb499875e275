/**
 * A report that may be late. It usually travels with the next report, so that its reader wakes half
 * as often.
 */
export interface LateReport {
  readonly atOnce: () => void;
  readonly soon: () => void;
  /** Nothing is reported after this. */
  readonly stop: () => void;
}

/** In ms: how late. The number of an ended group is not reused that soon. */
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
