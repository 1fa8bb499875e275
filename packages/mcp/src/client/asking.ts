import type { FormAnswer } from "@unroll/protocol";
import type { ElicitationPort } from "./elicitation.ts";

/** Questions from a server. Each belongs to a running call, and ends with it. */
export interface Asking {
  /** Asks the port of the running calls. */
  readonly elicit: ElicitationPort;
  /** Runs a call during which the server may ask; null: this caller answers no questions. */
  during<Result>(elicit: ElicitationPort | null, call: () => Promise<Result>): Promise<Result>;
  /** Whether the server waits for an answer from this port. */
  readonly isAsking: (elicit: ElicitationPort) => boolean;
}

const declined: FormAnswer = { type: "declined" };

/**
 * The protocol does not say which call a question belongs to. So a question is declined unless all
 * running calls have the same port: nobody is asked about somebody else's call. A question is
 * cancelled when no call of its port is left.
 */
export function createAsking(): Asking {
  const calls = new Map<ElicitationPort | null, number>();
  const open = new Map<AbortController, ElicitationPort>();

  function leave(elicit: ElicitationPort | null): void {
    const left = (calls.get(elicit) ?? 1) - 1;
    if (left > 0) return void calls.set(elicit, left);
    calls.delete(elicit);
    for (const [question, asked] of open) if (asked === elicit) question.abort();
  }

  return {
    async elicit(request, signal) {
      const [elicit = null, ...others] = calls.keys();
      if (elicit === null || others.length > 0) return declined;
      const question = new AbortController();
      open.set(question, elicit);
      try {
        return await elicit(request, AbortSignal.any([signal, question.signal]));
      } finally {
        open.delete(question);
      }
    },
    async during(elicit, call) {
      calls.set(elicit, (calls.get(elicit) ?? 0) + 1);
      try {
        return await call();
      } finally {
        leave(elicit);
      }
    },
    isAsking: (elicit) => [...open.values()].includes(elicit),
  };
}
