import { untilAborted } from "@unroll/flow";
import type { MessageItem, ModelError, ThreadEvent, TokenUsage, TurnError } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import type { EndFacts, StepFacts, StepGuard } from "../port/step-guard.ts";
import type { ThreadState } from "../state/thread-state.ts";
import type { GuardRequests } from "./side-requests.ts";
import { toEpochEvent } from "../transcript/resent-part.ts";

export interface GuardedStep extends GuardRequests {
  readonly turnId: string;
  readonly signal: AbortSignal;
  readonly guards: readonly StepGuard[];
  readonly state: ThreadState;
  readonly requests: number;
  readonly usage: TokenUsage;
  /** The events about answers that the guards got and have not passed on. */
  readonly untold: Set<ThreadEvent>;
}

/** The guards' result for a step: whether its request has changed, or how the turn ends. */
export type GuardOutcome =
  /** `hasCompacted`: a new epoch began. `isOther`: that, or something around the transcript changed. */
  | { readonly type: "go"; readonly hasCompacted: boolean; readonly isOther: boolean }
  | { readonly type: "end" }
  /** `failure`: as of `StepVerdict`. */
  | { readonly type: "stop"; readonly error: TurnError; readonly failure?: ModelError }
  | { readonly type: "aborted" };

/** Asks each guard once, in order; each sees what the ones before it did to the transcript. */
export async function* askGuards(
  step: GuardedStep,
  failure: ModelError | null,
): AsyncGenerator<ThreadEvent, GuardOutcome> {
  let [hasCompacted, isOther] = [false, false];
  for (const guard of step.guards) {
    const asking = guard.before(toFacts(step, failure), step.signal, step.side);
    const first = await hear(asking, step);
    // nearly all have nothing to tell
    const verdict = first.done === true ? first.value : yield* tellAsked(asking, first.value, step);
    switch (verdict.type) {
      case "go":
        step.state.transcript.append(...(verdict.say ?? []));
        break;
      case "compact": {
        const { items, cause, isFinal = false } = verdict;
        const shared = step.state.openEpoch(items, cause, { isFinal });
        hasCompacted = isOther = true;
        yield toEpochEvent(step.state.transcript, cause, shared);
        break;
      }
      case "resend":
        isOther = true;
        break;
      case "aborted":
        await step.untilIdle(); // an answer that comes just then was paid for
        yield* step.untold;
        return verdict;
      case "end":
      case "stop":
        return verdict;
    }
  }
  return { type: "go", hasCompacted, isOther };
}

/** Asks each guard whether the turn ends. `say`: what they say to the model instead; empty: nothing. */
export async function* askGuardsAtEnd(
  step: GuardedStep,
  end: Pick<EndFacts, "finalMessage" | "continued">,
): AsyncGenerator<ThreadEvent, EndOutcome> {
  const { turnId, signal, guards, state, requests, usage } = step;
  const say: MessageItem[] = [];
  for (const guard of guards) {
    const { items } = state.transcript;
    const asking = guard.end?.({ turnId, items, requests, usage, ...end }, signal);
    if (asking === undefined) continue;
    const first = await hear(asking, step);
    const verdict = first.done === true ? first.value : yield* tellAsked(asking, first.value, step);
    if (verdict.type === "continue") say.push(...verdict.say);
    else if (verdict.type !== "end") return verdict;
  }
  return { type: "asked", say };
}

export type EndOutcome = { readonly type: "asked"; readonly say: readonly MessageItem[] } | NoVerdict;

/** A guard that gave none: it failed, or the turn was aborted meanwhile. */
type NoVerdict = { readonly type: "stop"; readonly error: TurnError } | { readonly type: "aborted" };

/** A guard's events from this one on, up to its verdict. */
async function* tellAsked<Verdict>(
  asking: AsyncGenerator<ThreadEvent, Verdict>,
  first: ThreadEvent,
  step: Pick<GuardedStep, "signal" | "untold">,
): AsyncGenerator<ThreadEvent, Verdict | NoVerdict> {
  try {
    yield first;
    for (;;) {
      const next = await hear(asking, step);
      if (next.done === true) return next.value;
      yield next.value;
    }
  } finally {
    leave(asking);
  }
}

/** A guard is the code of somebody else: its fault is the turn's end, and no wait for it outlasts an abort. */
async function hear<Verdict>(
  asking: AsyncGenerator<ThreadEvent, Verdict>,
  { signal, untold }: Pick<GuardedStep, "signal" | "untold">,
): Promise<IteratorResult<ThreadEvent, Verdict | NoVerdict>> {
  try {
    const next = await untilAborted(asking.next(), signal);
    if (next?.done === false) untold.delete(next.value);
    if (next !== null) return next;
    leave(asking);
    return { done: true, value: { type: "aborted" } };
  } catch (error) {
    const message = `A guard failed: ${describeThrown(error)}`;
    return { done: true, value: { type: "stop", error: { code: "guard_failed", message } } };
  }
}

function leave(asking: AsyncIterator<ThreadEvent, unknown>): void {
  void asking.return?.().catch(() => {});
}

function toFacts({ state, turnId, requests, usage }: GuardedStep, failure: ModelError | null): StepFacts {
  const { transcript, lastUsage, lastSpan } = state;
  const { items, encoded } = transcript;
  return { turnId, items, bytes: encoded.length, requests, usage, lastUsage, lastSpan, failure };
}
