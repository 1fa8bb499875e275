import { yieldAll } from "@unroll/flow";
import { renderResponseFault, renderCutResponse, renderInterruption } from "@unroll/prompt";
import {
  addTokenUsage,
  type EncodedRequest,
  isToolOutput,
  type ModelError,
  noTokenUsage,
  readUserInput,
  type ResponseItem,
  type ThreadEvent,
  type TokenUsage,
  type ToolCallItem,
  type TurnError,
  toTerminalEvent,
  type TurnOutcome,
  type WindowOrigin,
} from "@unroll/protocol";
import { checkShape, describeThrown } from "@unroll/text";
import type { ModelClient } from "../port/model-client.ts";
import type { EndFacts, StepGuard } from "../port/step-guard.ts";
import type { ToolRuntime } from "../port/tool-runtime.ts";
import type { RequestEncoder, RequestTail } from "../request-encoder.ts";
import type { OpenRequest } from "../state/request-ledger.ts";
import type { ThreadState } from "../state/thread-state.ts";
import { askGuards, askGuardsAtEnd, type EndOutcome, type GuardedStep } from "./ask-guards.ts";
import { type CollectedResponse, collectResponse, type CompletedResponse } from "./collect-response.ts";
import { recordResponse } from "./record-response.ts";
import { settleState, showUnrunCalls } from "./settle-state.ts";
import { createSideRequests } from "./side-requests.ts";
import { lastMessageText } from "./thread-items.ts";

/** The world as a turn sees it. Each part is read at its use: a guard may have another model answer from the next request on. */
export interface TurnPorts {
  readonly state: ThreadState;
  readonly requests: RequestEncoder;
  readonly model: ModelClient;
  readonly tools: ToolRuntime;
  /** Asked before each request, in order. */
  readonly guards: readonly StepGuard[];
  /**
   * Returns messages for the model before the next request, besides the user's: changed settings,
   * late tools. It makes no request of its own. Absent: none.
   */
  readonly takePending?: () => readonly ResponseItem[];
  /** Gets the events that end a turn whose consumer left before them. Absent: nobody hears of it. */
  readonly onLeft?: (events: readonly ThreadEvent[]) => void;
}

/** Options of one turn. */
export interface TurnOptions {
  readonly turnId: string;
  /** In tokens: the model's context window, for events. Absent: it is not reported. */
  readonly contextWindow?: number;
  /** The source of that size. Absent: it is not reported. */
  readonly contextWindowOrigin?: WindowOrigin;
  readonly signal: AbortSignal;
  /** How many of the items in the inbox were sent before the input. Absent: all of them. */
  readonly sentBefore?: number;
  /** The turn first runs the calls that wait for the user's answer. Absent: they end as not run. */
  readonly resumesCalls?: boolean;
  /** Asked for each request. */
  readonly request: () => RequestTail;
  /** Absent: any final message will do. */
  readonly answer?: AnswerCheck;
  /** Why `signal` aborted, where that fails the turn; null, or absent: somebody interrupted it. */
  readonly explainAbort?: () => TurnError | null;
}

/** A requirement on the final message. */
interface AnswerCheck {
  /** Why it will not do; null where it will. */
  readonly check: (finalMessage: string | null) => TurnError | null;
  /** How often the model gets the error and another attempt before the turn fails. */
  readonly repairs: number;
}

type StepOutcome =
  | { readonly type: "continued" }
  | { readonly type: "completed"; readonly finalMessage: string | null }
  /** A guard ended the turn. */
  | { readonly type: "ended" }
  | { readonly type: "failed"; readonly error: TurnError }
  /** Calls stay open: the user answers later. */
  | { readonly type: "waiting"; readonly error: TurnError }
  | { readonly type: "interrupted" };

/** A turn on its way: what it works with, and what it has used so far. */
interface RunningTurn extends TurnOptions {
  readonly ports: TurnPorts;
  usage: TokenUsage;
  requests: number;
}

const required = {
  "ports.state.transcript": "an object",
  "ports.requests.encode": "a function",
  "ports.model.stream": "a function",
  "ports.tools.run": "a function",
  "ports.guards": "a list",
  input: "a list",
  "options.turnId": "text",
  "options.signal": "an object",
  "options.request": "a function",
} as const;

/**
 * One turn: the user's items in, requests and tool calls until the model asks for nothing more. Ends with exactly one
 * terminal event on every path but one: a consumer that leaves early gets none, `onLeft` does. On every path each call in
 * the transcript has exactly one output, unless the user answers later (`approval_needed`), and nothing is left running. Throws only for a bug, after the terminal event.
 */
export async function* runTurn(
  ports: TurnPorts,
  input: readonly ResponseItem[],
  options: TurnOptions,
): AsyncGenerator<ThreadEvent, TurnOutcome> {
  checkShape("runTurn", { ports, input, options }, required);
  const { state } = ports;
  const turn: RunningTurn = { ...options, ports, usage: noTokenUsage, requests: 0 };
  let step: Exclude<StepOutcome, { type: "continued" }> = { type: "interrupted" };
  let bug: { readonly error: unknown } | null = null;
  let hasLeft = true;
  let outcome: TurnOutcome = { type: "interrupted", usage: noTokenUsage };
  let closing: readonly ThreadEvent[] = [];
  const tellRest = (rest: readonly ThreadEvent[]): void =>
    ports.onLeft?.([...rest, toTerminalEvent(outcome, state.ledger.threadUsage)]);
  const lengthBefore = state.transcript.items.length;
  state.beginTurn(options.turnId);
  try {
    const before = state.inbox.drain(options.sentBefore);
    if (options.resumesCalls !== true) state.closeCalls();
    const waiting = state.waitingCalls;
    const take = (): readonly ResponseItem[] => {
      const [news, received] = [takePending(turn), [...input, ...state.inbox.drain()]];
      state.transcript.append(...before, ...news, ...received);
      return received;
    };
    let received = waiting.length === 0 ? take() : null;
    const { turnId, contextWindow: context_window, contextWindowOrigin: context_window_origin } = options;
    const window = {
      ...(context_window && { context_window }),
      ...(context_window_origin && { context_window_origin }),
    };
    yield { type: "turn.started", turn_id: turnId, ...window };
    const failure = received === null ? yield* runTools(turn, waiting) : null;
    if (failure?.type === "waiting") state.inbox.putFirst(before);
    else {
      received ??= take(); // behind the outputs of the calls
      yield* tellInput([...before, ...received]);
    }
    if (failure !== null) step = failure;
    else if (!options.signal.aborted || waiting.length === 0) step = yield* runSteps(turn);
    hasLeft = false;
  } catch (error) {
    bug = { error };
    hasLeft = false;
    step = { type: "failed", error: { code: "internal_error", message: describeThrown(error) } };
  } finally {
    if (step.type !== "waiting") state.closeCalls();
    const limit = step.type === "interrupted" && !hasLeft ? (options.explainAbort?.() ?? null) : null;
    // Without any message, nothing counts as finished.
    const isChanged = state.transcript.items.length !== lengthBefore;
    if (step.type === "interrupted" && isChanged)
      state.transcript.append(renderInterruption(limit === null ? "user" : "limit"));
    if (limit !== null) step = { type: "failed", error: limit };
    outcome = toOutcome(step, turn.usage);
    try {
      closing = ports.tools.endTurn();
    } catch (error) {
      bug ??= { error };
    }
    if (hasLeft) {
      tellRest(closing);
      state.endTurn(options.turnId, outcome);
    }
  }
  // Events of the turn are recorded before its end.
  try {
    yield* yieldAll(closing, tellRest);
  } finally {
    state.endTurn(options.turnId, outcome);
  }
  // A completed turn is recorded even if the caller stops waiting just then.
  const isWanted = outcome.type === "completed" ? new AbortController().signal : turn.signal;
  const settled = await settleState(state, isWanted);
  const isTold = outcome.type === "failed" && outcome.error.code === "journal_failed";
  const warning: readonly ThreadEvent[] =
    settled.type === "failed" && !isTold ? [{ type: "warning", message: settled.error.message }] : [];
  yield* yieldAll(warning, tellRest);
  yield toTerminalEvent(outcome, state.ledger.threadUsage);
  if (bug) throw bug.error;
  return outcome;
}

async function* runSteps(turn: RunningTurn): AsyncGenerator<ThreadEvent, Exclude<StepOutcome, { type: "continued" }>> {
  const { transcript, inbox } = turn.ports.state;
  const { check, repairs } = turn.answer ?? anyAnswer;
  for (let [repaired, continued] = [0, 0]; ;) {
    const step = yield* runStep(turn);
    if (step.type !== "continued" && step.type !== "completed") return step;
    if (step.type === "continued" && turn.signal.aborted) return { type: "interrupted" };
    // only what people said is worth another request
    let said = inbox.drain();
    const fault = step.type === "completed" && said.length === 0 ? check(step.finalMessage) : null;
    if (step.type === "completed" && said.length === 0 && fault === null) {
      const ended = yield* endStep(turn, { finalMessage: step.finalMessage, continued });
      if (ended.type !== "asked") return ended;
      said = inbox.drain(); // while the guards were asked
      if (ended.say.length === 0 && said.length === 0) return step;
      if (ended.say.length > 0) continued += 1;
      transcript.append(...ended.say);
    } else if (fault !== null) {
      if (repaired === repairs) return { type: "failed", error: fault };
      repaired += 1;
      yield { type: "warning", message: `${fault.message} It is asked for again (${repaired} of ${repairs}).` };
      transcript.append(renderResponseFault(fault.message));
    }
    transcript.append(...takePending(turn), ...said);
    yield* tellInput(said);
  }
}

function* tellInput(items: readonly ResponseItem[]): Generator<ThreadEvent, void> {
  for (const item of items) {
    const input = readUserInput(item);
    if (input !== null) yield { type: "input.received", input };
  }
}

/** A guard that always wants more would never let a turn end. */
const mostContinuations = 100;

/** Asks the guards at the end, or ends the turn without them. */
async function* endStep(
  turn: RunningTurn,
  end: Pick<EndFacts, "finalMessage" | "continued">,
): AsyncGenerator<ThreadEvent, Asked | Exclude<StepOutcome, { type: "continued" }>> {
  const ended = yield* askGuardsAtEnd(toGuardedStep(turn), end);
  if (ended.type === "stop") return { type: "failed", error: ended.error };
  if (ended.type === "aborted") return { type: "interrupted" };
  if (ended.say.length === 0 || end.continued < mostContinuations) return ended;
  const message = `A guard has continued the turn ${mostContinuations} times: it ends now.`;
  yield { type: "warning", message };
  return { type: "asked", say: [] };
}

type Asked = Extract<EndOutcome, { readonly type: "asked" }>;

const anyAnswer: AnswerCheck = { check: () => null, repairs: 0 };

function takePending({ ports }: RunningTurn): readonly ResponseItem[] {
  return ports.takePending?.() ?? [];
}

/** One request and the tool calls of its answer. */
async function* runStep(turn: RunningTurn): AsyncGenerator<ThreadEvent, StepOutcome> {
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
    case "failed":
      return { type: "failed", error: { code: response.error.code, message: response.error.message } };
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
async function* runTools(
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

function toGuardedStep(turn: RunningTurn): GuardedStep {
  const { ports, turnId, signal, request: tail } = turn;
  const onSent = (): void => void (turn.requests += 1);
  const onUsed = (used: TokenUsage): void => void (turn.usage = addTokenUsage(turn.usage, used));
  const side = createSideRequests({ ...ports, turnId, signal, tail, onSent, onUsed });
  const { requests, usage } = turn;
  return { turnId, signal, guards: ports.guards, state: ports.state, requests, usage, side };
}

function toOutcome(step: Exclude<StepOutcome, { type: "continued" }>, usage: TokenUsage): TurnOutcome {
  if (step.type === "ended") return { type: "completed", finalMessage: null, usage };
  return step.type === "waiting" ? { ...step, type: "failed", usage } : { ...step, usage };
}
