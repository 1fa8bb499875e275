import { renderCutResponse } from "@unroll/prompt";
import {
  addTokenUsage,
  type EncodedRequest,
  isToolOutput,
  type ModelError,
  noTokenUsage,
  type ThreadEvent,
  type ToolCallItem,
  type TurnError,
} from "@unroll/protocol";
import type { OpenRequest } from "../state/request-ledger.ts";
import { askGuards } from "./ask-guards.ts";
import { type CollectedResponse, collectResponse, type CompletedResponse, toTurnError } from "./collect-response.ts";
import { recordResponse } from "./record-response.ts";
import { type RunningTurn, type StepOutcome, takePending, tellInput, toGuardedStep } from "./running-turn.ts";
import { settleState, showUnrunCalls } from "./settle-state.ts";
import { lastMessageText } from "./thread-items.ts";

/** One request and the tool calls of its answer. */
export async function* runStep(turn: RunningTurn): AsyncGenerator<ThreadEvent, StepOutcome> {
  const verdict = yield* passGuards(turn, null);
  if (verdict.type !== "go") return verdict;
  for (let resent = 0; ; resent += 1) {
    const response = yield* requestResponse(turn);
    const failure = findFailure(response);
    if (failure === null) return yield* takeResponse(turn, response);
    const failed = encodeRequest(turn);
    const { model } = turn.ports;
    const mended = yield* passGuards(turn, failure);
    if (mended.type !== "go") return mended;
    const isSame = turn.ports.model === model && areSameBytes(failed.chunks, encodeRequest(turn).chunks);
    const isOther = mended.isOther && !isSame;
    if (!isOther || resent === mostResends) return yield* takeResponse(turn, response);
  }
}

/** Why a request is repeated if a guard changes it; null: its response is used. */
function findFailure(response: RequestedResponse): ModelError | null {
  if (response.type === "failed") return response.error;
  if (response.type !== "completed" || !isEmpty(response)) return null;
  return { code: "empty_answer", message: emptyAnswer, retryable: false };
}

const emptyAnswer = "The model's answer was empty.";

function isEmpty({ items }: Pick<CompletedResponse, "items">): boolean {
  return items.every(({ type }) => type === "reasoning");
}

/** How often a step's request goes out again because guards changed it: guards are the code of others. */
const mostResends = 8;

function encodeRequest({ ports, request, turnId }: RunningTurn): EncodedRequest {
  return ports.requests.encode(ports.state.transcript, request(), turnId);
}

function areSameBytes(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.every((bytes, index) => {
    const other = others[index];
    return bytes === other || (bytes.length === other?.length && bytes.every((byte, at) => byte === other[at]));
  });
}

type Passed = { readonly type: "go"; readonly isOther: boolean } | Exclude<StepOutcome, { type: "continued" }>;

/** If a guard's own request failed, the guards are asked about that failure, too. */
async function* passGuards(turn: RunningTurn, failure: ModelError | null): AsyncGenerator<ThreadEvent, Passed> {
  let verdict = yield* askGuards(toGuardedStep(turn), failure);
  for (let asked = 0; verdict.type === "stop" && verdict.failure && asked < mostResends; asked += 1) {
    const mended = yield* askGuards(toGuardedStep(turn), verdict.failure);
    if (mended.type === "go" && !mended.isOther) break;
    verdict = mended.type === "go" ? yield* askGuards(toGuardedStep(turn), failure) : mended;
  }
  switch (verdict.type) {
    case "go":
      // Messages sent during a guard's work go into the request after it.
      if (verdict.hasCompacted) {
        const { transcript, inbox } = turn.ports.state;
        const news = takePending(turn);
        const said = inbox.drain();
        transcript.append(...news, ...said);
        yield* tellInput(said);
      }
      return verdict;
    case "end":
      return { type: "ended" };
    case "stop":
      return { type: "failed", error: verdict.error };
    case "aborted":
      return { type: "interrupted" };
  }
}

/** A response, or why there is none: `unwritten`, the thread could not be written down first. `sent`: items of the request. */
type RequestedResponse =
  | (CompletedResponse & { readonly sent: number })
  | Exclude<CollectedResponse, CompletedResponse>
  | { readonly type: "unwritten"; readonly error: TurnError };

/**
 * Records everything that a request holds before it is sent. The part of a cut response that
 * arrived is kept and shown.
 */
async function* requestResponse(turn: RunningTurn): AsyncGenerator<ThreadEvent, RequestedResponse> {
  const { signal, ports } = turn;
  const { state } = ports;
  const settled = await settleState(state, signal);
  if (settled.type === "failed") return { type: "unwritten", error: settled.error };
  if (settled.type === "aborted") return { type: "aborted", items: [], calls: [], shown: [] };

  turn.requests += 1;
  const sent = state.transcript.items.length;
  const open = state.ledger.open(ports.requests.head);
  yield* announceBreak(open);
  yield { type: "request.started", items: sent, is_beside: false };
  const request = encodeRequest(turn);
  const context = { signal, nextItemId: () => state.nextItemId(), request: open };
  const response = yield* collectResponse(ports.model, request, context);
  if ("usage" in response) turn.usage = addTokenUsage(turn.usage, response.usage ?? noTokenUsage);
  if (response.type === "completed" && isEmpty(response)) {
    yield* response.shown; // another answer may take its place
    return { ...response, shown: [], sent };
  }
  if (response.type === "completed") return { ...response, sent };
  state.transcript.append(...response.items);
  if (response.type === "failed" && response.error.code === "incomplete") state.transcript.append(renderCutResponse());
  yield* response.shown;
  yield* showUnrunCalls(response.calls, "The answer that asks for it was cut off.", ports);
  return response;
}

function* announceBreak({ untold }: OpenRequest): Generator<ThreadEvent, void> {
  if (untold === null) return;
  yield { type: "warning", message: `The provider's cache does not hold for the next request: ${untold.cause}.` };
}

async function* takeResponse(turn: RunningTurn, response: RequestedResponse): AsyncGenerator<ThreadEvent, StepOutcome> {
  switch (response.type) {
    case "completed":
      return yield* runCalls(turn, response);
    case "unwritten":
      return { type: "failed", error: response.error };
    case "failed":
      return { type: "failed", error: toTurnError(response.error) };
    case "aborted":
      return { type: "interrupted" };
  }
}

/** Records and shows a response that came whole, and runs what it asks for. */
async function* runCalls(
  turn: RunningTurn,
  response: Extract<RequestedResponse, { type: "completed" }>,
): AsyncGenerator<ThreadEvent, StepOutcome> {
  const { ports } = turn;
  const { state } = ports;
  const { transcript } = state;
  const recorded = recordResponse(transcript, response.items);
  if (recorded.type === "refused") {
    yield* response.shown;
    yield* showUnrunCalls(response.calls, "The answer that asks for it cannot be used.", ports);
    return { type: "failed", error: recorded.error };
  }
  state.measure(response.usage, response.sent);
  yield* response.shown;
  if (isEmpty(response)) yield { type: "warning", message: emptyAnswer };
  const { calls } = recorded;
  if (calls.length === 0) return { type: "completed", finalMessage: lastMessageText(response.items) };
  const failure = yield* runTools(turn, calls);
  return failure ?? { type: "continued" };
}

/** Runs calls that are in the transcript. Returns why the turn ends: the thread cannot be recorded, or the user answers later. */
export async function* runTools(
  { signal, ports: { state, tools } }: RunningTurn,
  calls: readonly ToolCallItem[],
): AsyncGenerator<ThreadEvent, Extract<StepOutcome, { type: "failed" | "waiting" }> | null> {
  const settled = await settleState(state, signal);
  // After an abort no call runs; each is shown with that reason.
  const wanted = settled.type === "failed" ? AbortSignal.abort(settled.error.message) : signal;
  const record = async (type: "call.asked" | "call.started", callId: string): Promise<void> => {
    state.journal.record({ type, callId });
    await state.journal.settled();
  };
  const context = {
    signal: wanted,
    nextItemId: () => state.nextItemId(),
    calls: {
      asked: (callId: string) => record("call.asked", callId),
      started: (callId: string) => record("call.started", callId),
    },
  };
  const items = yield* tools.run(calls, context);
  const isAnswered = (id: string): boolean => items.some((item) => isToolOutput(item) && item.call_id === id);
  const waiting = state.waitingCalls.filter(({ call_id: id }) => !isAnswered(id));
  if (settled.type === "failed" || waiting.length === 0) {
    state.answerCalls(items);
    return settled.type === "failed" ? { type: "failed", error: settled.error } : null;
  }
  state.holdOutputs(items);
  const names = waiting.map(({ name }) => name).join(", ");
  const message = `Your approval is needed: ${names}. Resume the thread to be asked again.`;
  return { type: "waiting", error: { code: "approval_needed", message } };
}
