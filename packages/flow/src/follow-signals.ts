/** A signal that follows others until it is disposed. */
export interface FollowedSignals extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * A signal that aborts with the first of these, for its reason. It does the same as
 * `AbortSignal.any` at a tenth of the cost, but you must dispose it: `AbortSignal.any` finds out by
 * itself when nobody waits any more.
 */
export function followSignals(signals: readonly AbortSignal[]): FollowedSignals {
  const controller = new AbortController();
  const follow = (): void => {
    const first = signals.find(({ aborted }) => aborted);
    if (first !== undefined) controller.abort(first.reason);
  };
  follow();
  for (const signal of signals) signal.addEventListener("abort", follow);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of signals) signal.removeEventListener("abort", follow);
    },
  };
}
