import type { ModelError, ThreadEvent, TokenUsage, TurnError } from "@unroll/protocol";
import type { StepFacts, StepGuard } from "../port/step-guard.ts";
import type { Transcript } from "../transcript/transcript.ts";

export interface GuardedStep {
  readonly turnId: string;
  readonly signal: AbortSignal;
  readonly guards: readonly StepGuard[];
  readonly transcript: Transcript;
  readonly requests: number;
  readonly usage: TokenUsage;
  readonly lastUsage: TokenUsage | null;
}

/** What the guards made of a step: whether the transcript began anew, or why the turn ends. */
export type GuardOutcome =
  | { readonly type: "go"; readonly hasCompacted: boolean }
  | { readonly type: "stop"; readonly hasCompacted: boolean; readonly error: TurnError };

/** Asks each guard once, in order; each sees what the ones before it did to the transcript. */
export async function* askGuards(
  step: GuardedStep,
  failure: ModelError | null,
): AsyncGenerator<ThreadEvent, GuardOutcome> {
  let hasCompacted = false;
  for (const guard of step.guards) {
    const verdict = yield* guard.before(toFacts(step, failure), step.signal);
    switch (verdict.type) {
      case "go":
        step.transcript.append(...(verdict.say ?? []));
        break;
      case "compact": {
        const { items, cause } = verdict;
        const shared = step.transcript.openEpoch(items, cause);
        hasCompacted = true;
        yield { type: "epoch.opened", cause, items: items.length, shared_items: shared };
        break;
      }
      case "stop":
        return { ...verdict, hasCompacted };
    }
  }
  return { type: "go", hasCompacted };
}

function toFacts(
  { transcript, turnId, requests, usage, lastUsage }: GuardedStep,
  failure: ModelError | null,
): StepFacts {
  const { items, encoded } = transcript;
  return { turnId, items, bytes: encoded.length, requests, usage, lastUsage, failure };
}
