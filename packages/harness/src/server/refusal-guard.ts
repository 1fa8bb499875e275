import type { RefusedParts } from "@unroll/config";
import { type StepFacts, type StepGuard, type StepVerdict, type ThreadState, toEpochEvent } from "@unroll/core";
import { foldLeading, lowerTools } from "@unroll/item-form";
import type { FunctionToolSpec, ModelError, Refusal, ThreadEvent } from "@unroll/protocol";
import { bytesPerToken } from "@unroll/text";
import { toAdvice, toCause, toWarning } from "./change-words.ts";
import { planChange } from "./plan-change.ts";
import { nameSuspects } from "./suspects.ts";
import type { ThreadRequests } from "./thread-requests.ts";
import type { ThreadServer } from "./thread-server.ts";

export interface RefusalGuardOptions {
  readonly threadId: string;
  readonly model: string;
  readonly state: ThreadState;
  readonly server: ThreadServer;
  readonly requests: Pick<ThreadRequests, "head" | "members" | "begin">;
  /** The functions that freeform tools of ours are where a server takes no others. */
  readonly functions: () => readonly FunctionToolSpec[];
}

/**
 * Handles a server that refuses a part of a request: the request is repeated without it, and new
 * threads leave it out from the start. If that changes what the model has already read, a new epoch
 * begins.
 */
export function createRefusalGuard(options: RefusalGuardOptions): StepGuard {
  let answered = 0;
  return {
    async *before(facts) {
      const { failure, items, lastSpan } = facts;
      if (lastSpan.sent > 0) answered = lastSpan.sent; // an epoch of ours has the same items
      else if (items.length < answered) answered = 0;
      if (failure?.refusal === undefined) return go;
      return yield* answer(failure, failure.refusal, { ...options, facts, answered });
    },
  };
}

const go: StepVerdict = { type: "go" };

interface Refused extends RefusalGuardOptions {
  readonly facts: StepFacts;
  /** How many items a request held that was answered; 0: that is not known. */
  readonly answered: number;
}

async function* answer(
  { code, message }: ModelError,
  refusal: Refusal,
  refused: Refused,
): AsyncGenerator<ThreadEvent, StepVerdict> {
  const { model, server, requests, state, facts, threadId, answered } = refused;
  const { items } = facts;
  const suspects = isAboutItems(refusal) ? nameSuspects(refusal, items, answered) : "";
  const planned = planChange(refusal, { members: requests.members, items, form: server.itemForm, message });
  if (planned === null) {
    if (!isAboutItems(refusal)) return go;
    const advice = [message, suspects, toAdvice(threadId)].filter((text) => text !== "").join(" ");
    return { type: "stop", error: { code, message: advice } };
  }
  const note = await server.refuse(planned);
  const told = { refused: planned, message, suspects, model, note };
  const cause = toCause(planned);
  if (cause === "") {
    requests.begin();
    yield { type: "warning", message: toWarning({ ...told, tokens: null }) };
    return { type: "resend" };
  }
  yield { type: "warning", message: toWarning({ ...told, tokens: countCached(refused) }) };
  const shared = beginAnew(refused, planned, cause);
  yield toEpochEvent(state.transcript, cause, shared);
  return { type: "resend" };
}

/** Whether it is about what the thread says, and not about how it is asked. */
function isAboutItems(refusal: Refusal): boolean {
  if (refusal.type === "item") return refusal.itemType !== null || refusal.path !== "input";
  return refusal.type === "content" || refusal.type === "roles";
}

/** Null: no request of the thread was answered yet. */
function countCached({ state, requests, facts: { lastUsage, bytes } }: Refused): number | null {
  if (state.transcript.compareWithAnswered(null) === null) return null;
  if (lastUsage !== null) return lastUsage.input_tokens + lastUsage.output_tokens;
  return Math.ceil((requests.head.bytes.length + bytes) / bytesPerToken);
}

/**
 * In this order: a file that ends between the two has the old head, and begins another epoch when
 * it is refused again.
 */
function beginAnew({ state, server, requests, functions }: Refused, { features }: RefusedParts, cause: string): number {
  const { items } = state.transcript;
  const form = server.itemForm;
  const shared = state.openEpoch(items, cause, { isFinal: true, form });
  const { instructions = "" } = requests.members;
  const tools = requests.head.tools.map(({ spec }) => spec);
  const hasOtherTools = features.includes("customTools") || features.includes("webSearch");
  requests.begin({
    instructions: foldLeading(String(instructions), items, form),
    tools: hasOtherTools ? lowerTools(tools, form, functions()) : tools,
  });
  return shared;
}
