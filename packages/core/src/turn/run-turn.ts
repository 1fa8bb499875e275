import { renderInterruption } from "@unroll/prompt";
import {
  type Journal,
  noTokenUsage,
  type ModelError,
  type ResponseItem,
  type ThreadEvent,
  type TokenUsage,
  type TurnError,
  type TurnOutcome,
} from "@unroll/protocol";
import type { ModelClient } from "../port/model-client.ts";
import type { StepGuard } from "../port/step-guard.ts";
import type { ToolRuntime } from "../port/tool-runtime.ts";
import type { RequestEncoder, RequestTail } from "../request/request-encoder.ts";
import type { ThreadState } from "../state/thread-state.ts";
import { askGuards, type GuardedStep } from "./ask-guards.ts";
import { type CollectedResponse, collectResponse, type CompletedResponse } from "./collect-response.ts";
import { recordResponse } from "./record-response.ts";
import { lastMessageText } from "./thread-items.ts";
import { addUsage } from "./usage.ts";

/** The world as a turn sees it. */
export interface TurnPorts {
  readonly state: ThreadState;
  readonly requests: RequestEncoder;
  readonly model: ModelClient;
  readonly tools: ToolRuntime;
  /** Asked before each request, in order. */
  readonly guards: readonly StepGuard[];
}

export interface TurnOptions {
  readonly turnId: string;
  readonly signal: AbortSignal;
  readonly request: RequestTail;
  /** Why the final message will not do; null where it will. Absent: any will do. */
  readonly checkAnswer?: (finalMessage: string | null) => TurnError | null;
}

type StepOutcome =
  | { readonly type: "continued" }
  | { readonly type: "completed"; readonly finalMessage: string | null }
  | { readonly type: "failed"; readonly error: TurnError }
  | { readonly type: "interrupted" };

/** A turn on its way: what it works with, and what it has used so far. */
interface RunningTurn extends TurnOptions {
  readonly ports: TurnPorts;
  usage: TokenUsage;
  lastUsage: TokenUsage | null;
  requests: number;
}

const interruptedOutput = "The turn was interrupted before this call had a result. It may have run in part.";

/**
 * One turn: the user's items in, requests and tool calls until the model asks for nothing more. Ends with exactly one
 * terminal event on every path but one: a consumer that leaves early gets none. On every path each call in the
 * transcript has exactly one output and nothing is left running. Throws only for a bug, after the terminal event.
 */
export async function* runTurn(
  ports: TurnPorts,
  input: readonly ResponseItem[],
  options: TurnOptions,
): AsyncGenerator<ThreadEvent, TurnOutcome> {
  const { state, tools } = ports;
  const turn: RunningTurn = { ...options, ports, usage: noTokenUsage, lastUsage: null, requests: 0 };
  let step: StepOutcome = { type: "interrupted" };
  let bug: { readonly error: unknown } | null = null;
  let closing: readonly ThreadEvent[] = [];
  state.beginTurn(options.turnId);
  try {
    yield { type: "turn.started", turn_id: options.turnId };
    // what waited since an interruption was said before this
    state.transcript.append(...state.inbox.drain(), ...input);
    step = yield* runSteps(turn);
  } catch (error) {
    bug = { error };
    step = { type: "failed", error: { code: "internal_error", message: messageOf(error) } };
  } finally {
    state.transcript.closeOpenCalls(interruptedOutput);
    if (step.type === "interrupted") state.transcript.append(renderInterruption());
    closing = tools.endTurn();
    state.endTurn(options.turnId, { ...step, usage: turn.usage });
  }
  const outcome: TurnOutcome = { ...step, usage: turn.usage };
  yield* closing;
  yield toTerminalEvent(outcome);
  if (bug) throw bug.error;
  return outcome;
}

async function* runSteps(turn: RunningTurn): AsyncGenerator<ThreadEvent, Exclude<StepOutcome, { type: "continued" }>> {
  const { transcript, inbox } = turn.ports.state;
  for (;;) {
    if (turn.signal.aborted) return { type: "interrupted" };
    transcript.append(...inbox.drain());
    const step = yield* runStep(turn);
    if (step.type === "continued") continue;
    if (step.type !== "completed") return step;
    const late = inbox.drain();
    if (late.length === 0) {
      const fault = turn.checkAnswer?.(step.finalMessage) ?? null;
      return fault ? { type: "failed", error: fault } : step;
    }
    transcript.append(...late);
  }
}

/** One request and the tool calls of its answer. */
async function* runStep(turn: RunningTurn): AsyncGenerator<ThreadEvent, StepOutcome> {
  const verdict = yield* askGuards(toGuardedStep(turn), null);
  if (verdict.type === "stop") return { type: "failed", error: verdict.error };
  let response = yield* requestResponse(turn);
  if (response.type === "failed" && (yield* askGuards(toGuardedStep(turn), response.error)).hasCompacted)
    response = yield* requestResponse(turn);
  switch (response.type) {
    case "completed":
      return yield* takeResponse(turn, response);
    case "failed":
      return { type: "failed", error: toTurnError(response.error) };
    case "aborted":
      return { type: "interrupted" };
  }
}

/** Nothing is sent before what it holds is written down. What came of a response that was cut is kept and shown. */
async function* requestResponse(turn: RunningTurn): AsyncGenerator<ThreadEvent, CollectedResponse> {
  const { signal, ports } = turn;
  const { state } = ports;
  const unsettled = await settleJournal(state.journal);
  if (unsettled !== null) return { type: "failed", error: unsettled, items: [], shown: [] };
  if (signal.aborted) return { type: "aborted", items: [], shown: [] };

  turn.requests += 1;
  const request = ports.requests.encode(state.transcript, turn.request, turn.turnId);
  const response = yield* collectResponse(ports.model, request, { signal, nextItemId: () => state.nextItemId() });
  if (response.type !== "completed") {
    state.transcript.append(...response.items);
    yield* response.shown;
  }
  return response;
}

async function* takeResponse(turn: RunningTurn, response: CompletedResponse): AsyncGenerator<ThreadEvent, StepOutcome> {
  const { signal, ports } = turn;
  const { state } = ports;
  const { transcript } = state;
  turn.usage = addUsage(turn.usage, response.usage ?? noTokenUsage);
  turn.lastUsage = response.usage;
  const recorded = recordResponse(transcript, response.items);
  if (recorded.type === "refused") return { type: "failed", error: recorded.error };
  yield* response.shown;
  if (response.items.length === 0) yield { type: "warning", message: "The model's answer was empty." };
  const { calls } = recorded;
  if (calls.length === 0) return { type: "completed", finalMessage: lastMessageText(response.items) };
  const unsettled = await settleJournal(state.journal);
  if (unsettled !== null) return { type: "failed", error: toTurnError(unsettled) };
  transcript.append(...(yield* ports.tools.run(calls, { signal, nextItemId: () => state.nextItemId() })));
  return { type: "continued" };
}

async function settleJournal(journal: Journal): Promise<ModelError | null> {
  try {
    await journal.settled();
    return null;
  } catch (error) {
    const message = `The thread cannot be written down, so the turn stops here: ${messageOf(error)}`;
    return { code: "journal_failed", message, retryable: false };
  }
}

function toGuardedStep(turn: RunningTurn): GuardedStep {
  const { guards, state } = turn.ports;
  return { ...turn, guards, transcript: state.transcript };
}

function toTurnError({ code, message }: ModelError): TurnError {
  return { code, message };
}

function toTerminalEvent(outcome: TurnOutcome): ThreadEvent {
  switch (outcome.type) {
    case "completed":
      return { type: "turn.completed", usage: outcome.usage };
    case "failed":
      return { type: "turn.failed", error: outcome.error, usage: outcome.usage };
    case "interrupted": {
      const error = { code: "interrupted", message: "The turn was interrupted before it was finished." };
      return { type: "turn.failed", error, usage: outcome.usage };
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
