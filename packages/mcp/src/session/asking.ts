import type { ElicitationPort } from "./elicitation.ts";

/** The questions of a server to the person. They last no longer than its calls. */
export interface Asking {
  readonly elicit: ElicitationPort;
  /** Runs a call; what is asked is cancelled when no call is left that it could be for. */
  during<Result>(call: () => Promise<Result>): Promise<Result>;
  readonly isAsking: () => boolean;
}

export function createAsking(elicit: ElicitationPort): Asking {
  const open = new Set<AbortController>();
  let calls = 0;
  return {
    async elicit(request, signal) {
      const question = new AbortController();
      open.add(question);
      try {
        return await elicit(request, AbortSignal.any([signal, question.signal]));
      } finally {
        open.delete(question);
      }
    },
    async during(call) {
      calls += 1;
      try {
        return await call();
      } finally {
        calls -= 1;
        if (calls === 0) for (const question of open) question.abort();
      }
    },
    isAsking: () => open.size > 0,
  };
}
