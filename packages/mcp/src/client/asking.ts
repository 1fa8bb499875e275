import type { FormAnswer } from "@unroll/protocol";
import type { ElicitationPort } from "./elicitation.ts";

/** The questions of a server. Each belongs to a call that runs, and lasts no longer. */
export interface Asking {
  /** Asks the port whose calls run. */
  readonly elicit: ElicitationPort;
  /** Runs a call that questions may be for; null: of one who answers none. */
  during<Result>(elicit: ElicitationPort | null, call: () => Promise<Result>): Promise<Result>;
  /** Whether it waits for an answer of this port. */
  readonly isAsking: (elicit: ElicitationPort) => boolean;
}

const declined: FormAnswer = { type: "declined" };

/**
 * The protocol does not say which call a question is for. So it is declined unless all calls that run have one port: nobody
 * is asked what somebody else's call wants to know. What is asked is cancelled when no call of its port is left.
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
