import { untilAborted } from "@unroll/flow";
import type { ModelError, ThreadEvent, TokenUsage, TurnError } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import type { SideRequests, StepFacts, StepGuard, StepVerdict } from "../port/step-guard.ts";
import type { ThreadState } from "../state/thread-state.ts";
import { toEpochEvent } from "../transcript/to-epoch-event.ts";

export interface GuardedStep {
  readonly turnId: string;
  readonly signal: AbortSignal;
  readonly guards: readonly StepGuard[];
  readonly state: ThreadState;
  readonly requests: number;
  readonly usage: TokenUsage;
  /** What guards may ask the model. */
  readonly side: SideRequests;
}

/** What the guards made of a step: whether the transcript began anew, or how the turn ends. */
export type GuardOutcome =
  | { readonly type: "go"; readonly hasCompacted: boolean }
  | { readonly type: "end" }
  | { readonly type: "stop"; readonly error: TurnError }
  | { readonly type: "aborted" };

/** Asks each guard once, in order; each sees what the ones before it did to the transcript. */
export async function* askGuards(
  step: GuardedStep,
  failure: ModelError | null,
): AsyncGenerator<ThreadEvent, GuardOutcome> {
  let hasCompacted = false;
  for (const guard of step.guards) {
    const verdict = yield* askGuard(guard, toFacts(step, failure), step);
    switch (verdict.type) {
      case "go":
        step.state.transcript.append(...(verdict.say ?? []));
        break;
      case "compact": {
        const { items, cause, isFinal = false } = verdict;
        const shared = step.state.openEpoch(items, cause, { isFinal });
        hasCompacted = true;
        yield toEpochEvent(step.state.transcript, cause, shared);
        break;
      }
      case "end":
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
  { signal, side }: GuardedStep,
): AsyncGenerator<ThreadEvent, StepVerdict | { readonly type: "aborted" }> {
  const asking = guard.before(facts, signal, side);
  try {
    for (;;) {
      const next = await untilAborted(asking.next(), signal);
      if (next === null) return { type: "aborted" };
      if (next.done === true) return next.value;
      yield next.value;
    }
  } catch (error) {
    const message = `A guard failed: ${describeThrown(error)}`;
    return { type: "stop", error: { code: "guard_failed", message } };
  } finally {
    void asking.return({ type: "go" }).catch(() => {});
  }
}

function toFacts({ state, turnId, requests, usage }: GuardedStep, failure: ModelError | null): StepFacts {
  const { transcript, lastUsage, lastSpan } = state;
  const { items, encoded } = transcript;
  return { turnId, items, bytes: encoded.length, requests, usage, lastUsage, lastSpan, failure };
}
