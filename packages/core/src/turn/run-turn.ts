import { renderInterruption } from "@unroll/prompt";
import {
  noTokenUsage,
  type ModelError,
  type ResponseItem,
  type ThreadEvent,
  type TokenUsage,
  type TurnError,
  type TurnOutcome,
} from "@unroll/protocol";
import type { Inbox } from "../port/inbox.ts";
import type { ModelClient } from "../port/model-client.ts";
import type { ToolRuntime } from "../port/tool-runtime.ts";
import type { RequestEncoder, RequestTail } from "../request/request-encoder.ts";
import { isToolCall, type Transcript, TranscriptError } from "../transcript/transcript.ts";
import { collectResponse } from "./collect-response.ts";
import { lastMessageText } from "./thread-items.ts";
import { addUsage } from "./usage.ts";

/** The world as a turn sees it. */
export interface TurnPorts {
  readonly transcript: Transcript;
  readonly requests: RequestEncoder;
  readonly model: ModelClient;
  readonly tools: ToolRuntime;
  readonly inbox: Inbox;
  /** The next free thread item id, `item_N`, N from 0 in a thread. */
  readonly nextItemId: () => string;
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
  yield { type: "turn.started", turn_id: options.turnId };
  const turn: RunningTurn = { ...options, ports, usage: noTokenUsage };
  let step: StepOutcome = { type: "interrupted" };
  let bug: { readonly error: unknown } | null = null;
  let closing: readonly ThreadEvent[] = [];
  try {
    ports.transcript.append(...input);
    step = yield* runSteps(turn);
  } catch (error) {
    bug = { error };
    step = { type: "failed", error: { code: "internal_error", message: messageOf(error) } };
  } finally {
    ports.transcript.closeOpenCalls(interruptedOutput);
    if (step.type === "interrupted") ports.transcript.append(renderInterruption());
    closing = ports.tools.endTurn();
  }
  const outcome: TurnOutcome = { ...step, usage: turn.usage };
  yield* closing;
  yield toTerminalEvent(outcome);
  if (bug) throw bug.error;
  return outcome;
}

async function* runSteps(turn: RunningTurn): AsyncGenerator<ThreadEvent, Exclude<StepOutcome, { type: "continued" }>> {
  const { transcript, inbox } = turn.ports;
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
  const { signal, ports } = turn;
  const { transcript, tools, nextItemId } = ports;
  const request = ports.requests.encode(transcript, turn.request, turn.turnId);
  const response = yield* collectResponse(ports.model, request, { signal, nextItemId });
  if (response.type === "aborted") return { type: "interrupted" };
  if (response.type === "failed") return { type: "failed", error: toTurnError(response.error) };

  turn.usage = addUsage(turn.usage, response.usage ?? noTokenUsage);
  const items = withFreshCallIds(response.items, transcript);
  const refusal = recordResponse(transcript, items);
  if (refusal) return { type: "failed", error: refusal };
  yield* response.shown;
  if (items.length === 0) yield { type: "warning", message: "The model's answer was empty." };
  const calls = items.filter(isToolCall);
  if (calls.length === 0) return { type: "completed", finalMessage: lastMessageText(items) };
  transcript.append(...(yield* tools.run(calls, { signal, nextItemId })));
  return { type: "continued" };
}

/** Some servers number the calls of each response anew. A call whose id was used before gets one of its own. */
function withFreshCallIds(items: readonly ResponseItem[], transcript: Transcript): readonly ResponseItem[] {
  const taken = new Set<string>();
  return items.map((item) => {
    if (!isToolCall(item)) return item;
    let id = item.call_id;
    for (let n = 2; taken.has(id) || transcript.hasCall(id); n++) id = `${item.call_id}_${n}`;
    taken.add(id);
    return id === item.call_id ? item : { ...item, call_id: id };
  });
}

/** What a model sends may break the transcript's rules: that ends the turn, and nothing of the response is kept. */
function recordResponse(transcript: Transcript, items: readonly ResponseItem[]): TurnError | null {
  try {
    transcript.append(...items);
    return null;
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    return {
      code: "invalid_answer",
      message: `The model's answer cannot be used, its server broke the protocol: ${error.message}`,
    };
  }
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
