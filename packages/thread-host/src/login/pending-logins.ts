import type { ShownLogin } from "./show-login.ts";

/** The logins that people are about, each to be ended by its id. */
export interface PendingLogins {
  /** Resolves once there is something to show. `begin` is handed what ends the login; `onEnd` is told of its end, as `ShownLogin.fault` is. */
  follow<Shown>(
    begin: (signal: AbortSignal) => Promise<ShownLogin<Shown>>,
    onEnd: (loginId: string, fault: string | null) => void,
  ): Promise<{ readonly loginId: string; readonly shown: Shown }>;
  /** Says whether there was one. */
  cancel(loginId: string): boolean;
}

/** None yet. `newId`: of ids that nobody guesses. */
export function createPendingLogins(newId: () => string): PendingLogins {
  const pending = new Map<string, AbortController>();
  return {
    async follow(begin, onEnd) {
      const [loginId, stop] = [newId(), new AbortController()];
      const { shown, fault } = await begin(stop.signal);
      pending.set(loginId, stop);
      void fault.then((error) => {
        pending.delete(loginId);
        onEnd(loginId, error);
      });
      return { loginId, shown: await shown };
    },
    cancel(loginId) {
      const found = pending.get(loginId);
      found?.abort();
      return found !== undefined;
    },
  };
}
