import { flatMap } from "@unroll/flow";
import {
  type ModelError,
  noTokenUsage,
  type RequestHead,
  type ResponseItem,
  type ThreadEvent,
  type TokenUsage,
} from "@unroll/protocol";
import type { ModelClient } from "../port/model-client.ts";
import type { ToolRuntime } from "../port/tool-runtime.ts";
import type { SideResponse, SideRequests } from "../port/step-guard.ts";
import type { RequestEncoder, RequestTail } from "../request-encoder.ts";
import type { OpenRequest } from "../state/request-ledger.ts";
import type { ThreadState } from "../state/thread-state.ts";
import { collectResponse, toRetryEvent, toTurnError } from "./collect-response.ts";
import { settleState, showUnrunCalls } from "./settle-state.ts";

export interface SideRequestContext {
  readonly turnId: string;
  readonly signal: AbortSignal;
  readonly state: ThreadState;
  readonly requests: RequestEncoder;
  readonly model: ModelClient;
  readonly tools: ToolRuntime;
  readonly tail: () => RequestTail;
  readonly onSent: () => void;
  /** A request was answered; it used so much. `told`: the event about it. */
  readonly onAnswered: (usage: TokenUsage, told: ThreadEvent) => void;
}

/** The requests that guards make beside a turn. */
export interface GuardRequests {
  readonly side: SideRequests;
  /** Resolves when no server is waited for any more, which an abort ends soon. */
  untilIdle(): Promise<void>;
}

const nothing = new Uint8Array();

/** Requests that a guard may make beside the turn. */
export function createSideRequests(context: SideRequestContext): GuardRequests {
  const { turnId, signal, state, requests, model } = context;
  let running: Promise<unknown> = Promise.resolve();

  /** Counts an answer as soon as it comes: an abort may come before the turn shows its event. */
  function openBeside(head: RequestHead, input: Uint8Array): Pick<OpenRequest, "answer"> {
    const open = state.ledger.openBeside(head, input);
    return {
      answer(response) {
        const answered = open.answer(response);
        context.onAnswered(answered.usage ?? noTokenUsage, answered.told);
        return answered;
      },
    };
  }

  /** The same events; notes each step while it runs. */
  async function* follow(
    sending: AsyncGenerator<ThreadEvent, SideResponse>,
  ): AsyncGenerator<ThreadEvent, SideResponse> {
    try {
      for (;;) {
        const step = sending.next();
        running = step;
        const next = await step;
        if (next.done === true) return next.value;
        yield next.value;
      }
    } finally {
      await sending.return({ type: "aborted" });
    }
  }

  async function* respond(
    items: readonly ResponseItem[],
    instructions: string | null,
  ): AsyncGenerator<ThreadEvent, SideResponse> {
    // a schema is for the turn's answer
    const { outputSchema: _, ...tail } = context.tail();
    const encoded = state.transcript.encode(items);
    const own = instructions === null ? requests : requests.withInstructions(instructions);
    const request = own.encode({ encoded, items }, tail, turnId);
    const open = openBeside(own.head, encoded);
    yield { type: "request.started", items: items.length, is_beside: true };
    const collected = collectResponse(model, request, { signal, nextItemId: () => "", request: open });
    const response = yield* flatMap(collected, (event) => (isAboutServer(event) ? [event] : []));
    yield* tellWork(response.shown, state);
    yield* showUnrunCalls(response.calls, "It was asked for beside the conversation, where nothing runs.", context);
    if (response.type !== "completed") return withoutItems(response);
    return { type: "completed", items: response.items };
  }

  async function* compact(
    shorten: NonNullable<ModelClient["compact"]>,
    items: readonly ResponseItem[],
  ): AsyncGenerator<ThreadEvent, SideResponse> {
    const encoded = state.transcript.encode(items);
    const request = requests.encodeCompaction({ encoded, items }, turnId);
    const [, input = nothing] = request.chunks;
    const open = openBeside(request.data.head, input);
    yield { type: "request.started", items: items.length, is_beside: true };
    const outcome = yield* flatMap(shorten(request, signal), (event) => [toRetryEvent(event)]);
    if (outcome.type !== "completed") return withoutItems(outcome);
    yield open.answer(outcome).told;
    return { type: "completed", items: outcome.items };
  }

  /** As with the turn's own requests: nothing is sent before it is written down. */
  async function* afterSettling(
    send: () => AsyncGenerator<ThreadEvent, SideResponse>,
  ): AsyncGenerator<ThreadEvent, SideResponse> {
    const settled = await settleState(state, signal);
    if (settled.type === "failed") return { ...settled, failure: null };
    if (settled.type === "aborted") return { type: "aborted" };
    context.onSent();
    return yield* follow(send());
  }

  const shorten = model.compact?.bind(model);
  return {
    side: {
      respond: (items, { instructions = null } = {}) => afterSettling(() => respond(items, instructions)),
      compact: shorten === undefined ? null : (items) => afterSettling(() => compact(shorten, items)),
    },
    async untilIdle() {
      await Promise.allSettled([running]);
    },
  };
}

function isAboutServer({ type }: ThreadEvent): boolean {
  return type === "stream.retrying" || type === "warning";
}

/** Shows work, but not messages. */
function* tellWork(shown: readonly ThreadEvent[], state: ThreadState): Generator<ThreadEvent, void> {
  let id = "";
  for (const event of shown) {
    if (event.type === "request.completed") yield event;
    if (!("item" in event) || event.item.type !== "web_search") continue;
    if (event.type === "item.started") id = state.nextItemId();
    yield { ...event, item: { ...event.item, id } };
  }
}

function withoutItems(
  outcome: { readonly type: "failed"; readonly error: ModelError } | { readonly type: "aborted" },
): SideResponse {
  if (outcome.type === "aborted") return { type: "aborted" };
  return { type: "failed", error: toTurnError(outcome.error), failure: outcome.error };
}
