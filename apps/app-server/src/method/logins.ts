import { toProgramFailure } from "@unroll/program";
import { explainLoginFault, type LoginFault } from "@unroll/report";
import { ThreadHostError } from "@unroll/thread-host";

type LoginEnd = { readonly type: "logged_in" } | LoginFault;

/** Logins that you finish on a page or with a code. */
export interface Logins {
  /**
   * Starts a login; `run` shows the page or the code, and ends when its signal aborts. Resolves when it was shown, and rejects with
   * `ThreadHostError` `not_logged_in` if it ended before that. `ended`: why it failed, in a sentence; null: it worked.
   */
  start<Shown>(
    run: (show: (shown: Shown) => Promise<void>, signal: AbortSignal) => Promise<LoginEnd>,
  ): Promise<{ readonly loginId: string; readonly shown: Shown; readonly ended: Promise<string | null> }>;
  /** Returns whether there was one. */
  cancel(loginId: string): boolean;
}

/** `newId` makes ids that nobody guesses. */
export function createLogins(newId: () => string): Logins {
  const pending = new Map<string, AbortController>();
  return {
    async start<Shown>(run: (show: (shown: Shown) => Promise<void>, signal: AbortSignal) => Promise<LoginEnd>) {
      const [loginId, stop, page] = [newId(), new AbortController(), Promise.withResolvers<Shown>()];
      pending.set(loginId, stop);
      const ended = run(async (shown) => page.resolve(shown), stop.signal)
        .then(
          (end) => (end.type === "logged_in" ? null : explainLoginFault(end)),
          (error: unknown) => toProgramFailure(error).error.message,
        )
        .finally(() => pending.delete(loginId));
      ended
        .then((fault) => page.reject(new ThreadHostError("not_logged_in", fault ?? "Nobody logged in.")))
        .catch(page.reject);
      return { loginId, shown: await page.promise, ended };
    },
    cancel(loginId) {
      const found = pending.get(loginId);
      found?.abort();
      return found !== undefined;
    },
  };
}
