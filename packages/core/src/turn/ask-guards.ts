import { untilAborted } from "@unroll/flow";
import type { ModelError, ThreadEvent, TokenUsage, TurnError } from "@unroll/protocol";
import type { StepFacts, StepGuard, StepVerdict } from "../port/step-guard.ts";
import { toFirstDifference } from "../transcript/answered-part.ts";
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
  | { readonly type: "stop"; readonly error: TurnError }
  | { readonly type: "aborted" };

/** Asks each guard once, in order; each sees what the ones before it did to the transcript. */
export async function* askGuards(
  step: GuardedStep,
  failure: ModelError | null,
): AsyncGenerator<ThreadEvent, GuardOutcome> {
  let hasCompacted = false;
  for (const guard of step.guards) {
    const verdict = yield* askGuard(guard, toFacts(step, failure), step.signal);
    switch (verdict.type) {
      case "go":
        step.transcript.append(...(verdict.say ?? []));
        break;
      case "compact": {
        const { items, cause } = verdict;
        const shared = step.transcript.openEpoch(items, cause);
        hasCompacted = true;
        const first_difference = toFirstDifference(items, shared);
        yield { type: "epoch.opened", cause, items: items.length, shared_items: shared, first_difference };
        break;
      }
      case "stop":
      case "aborted":
        return verdict;
    }
  }
  return { type: "go", hasCompacted };
}

/** A guard is the code of somebody else: its fault is the turn's end, and no wait for it outlasts an abort. */
async function* askGuard(
  guard: StepGuard,
  facts: StepFacts,
  signal: AbortSignal,
): AsyncGenerator<ThreadEvent, StepVerdict | { readonly type: "aborted" }> {
  const asking = guard.before(facts, signal);
  try {
    for (;;) {
      const next = await untilAborted(asking.next(), signal);
      if (next === null) return { type: "aborted" };
      if (next.done === true) return next.value;
      yield next.value;
    }
  } catch (error) {
    const message = `A guard failed: ${error instanceof Error ? error.message : String(error)}`;
    return { type: "stop", error: { code: "guard_failed", message } };
  } finally {
    void asking.return({ type: "go" }).catch(() => {});
  }
}

function toFacts(
  { transcript, turnId, requests, usage, lastUsage }: GuardedStep,
  failure: ModelError | null,
): StepFacts {
  const { items, encoded } = transcript;
  return { turnId, items, bytes: encoded.length, requests, usage, lastUsage, failure };
}
