import { renderInterruption } from "@unroll/prompt";
import type { ModelError, ResponseItem, ThreadEvent, TokenUsage, TurnError, TurnOutcome } from "@unroll/protocol";
import type { Inbox } from "../port/inbox.ts";
import type { ModelClient } from "../port/model-client.ts";
import type { ToolRuntime } from "../port/tool-runtime.ts";
import type { RequestEncoder, RequestTail } from "../request/request-encoder.ts";
import { isToolCall, type Transcript, TranscriptError } from "../transcript/transcript.ts";
import { collectResponse } from "./collect-response.ts";
import { lastMessageText } from "./thread-items.ts";
import { addUsage, noUsage } from "./usage.ts";

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

type StepOutcome = { readonly type: "continued"; readonly usage: TokenUsage } | TurnOutcome;

const interruptedOutput = "The turn was interrupted before this call had a result. It may have run in part.";

/**
 * One turn: the user's items in, requests and tool calls until the model asks for nothing more. Ends with exactly one
 * terminal event on every path but one: a consumer that leaves early gets none. On every path each call in the
 * transcript has exactly one output and nothing is left running. Throws only for a bug, after a `turn.failed`.
 */
export async function* runTurn(
  ports: TurnPorts,
  input: readonly ResponseItem[],
  options: TurnOptions,
): AsyncGenerator<ThreadEvent, TurnOutcome> {
  yield { type: "turn.started", turn_id: options.turnId };
  let outcome: TurnOutcome = { type: "interrupted", usage: noUsage };
  let closing: readonly ThreadEvent[] = [];
  try {
    ports.transcript.append(...input);
    outcome = yield* runSteps(ports, options);
  } catch (error) {
    yield { type: "turn.failed", error: { code: "internal_error", message: messageOf(error) }, usage: noUsage };
    throw error;
  } finally {
    ports.transcript.closeOpenCalls(interruptedOutput);
    if (outcome.type === "interrupted") ports.transcript.append(renderInterruption());
    closing = ports.tools.endTurn();
  }
  yield* closing;
  yield toTerminalEvent(outcome);
  return outcome;
}

async function* runSteps(ports: TurnPorts, options: TurnOptions): AsyncGenerator<ThreadEvent, TurnOutcome> {
  let usage = noUsage;
  for (;;) {
    if (options.signal.aborted) return { type: "interrupted", usage };
    ports.transcript.append(...ports.inbox.drain());
    const step: StepOutcome = yield* runStep(ports, options);
    usage = addUsage(usage, step.usage);
    if (step.type === "continued") continue;
    if (step.type !== "completed") return { ...step, usage };
    const late = ports.inbox.drain();
    if (late.length === 0) {
      const fault = options.checkAnswer?.(step.finalMessage) ?? null;
      return fault ? { type: "failed", error: fault, usage } : { ...step, usage };
    }
    ports.transcript.append(...late);
  }
}

/** One request and the tool calls of its answer. */
async function* runStep(ports: TurnPorts, options: TurnOptions): AsyncGenerator<ThreadEvent, StepOutcome> {
  const { transcript, tools, nextItemId } = ports;
  const { signal } = options;
  const request = ports.requests.encode(transcript, options.request, options.turnId);
  const response = yield* collectResponse(ports.model, request, { signal, nextItemId });
  if (response.type === "aborted") return { type: "interrupted", usage: noUsage };
  if (response.type === "failed") return { type: "failed", error: toTurnError(response.error), usage: noUsage };

  const usage = response.usage ?? noUsage;
  const refusal = recordResponse(transcript, response.items);
  if (refusal) return { type: "failed", error: refusal, usage };
  const calls = response.items.filter(isToolCall);
  if (calls.length === 0) return { type: "completed", finalMessage: lastMessageText(response.items), usage };
  transcript.append(...(yield* tools.run(calls, { signal, nextItemId })));
  return { type: "continued", usage };
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
      message: `The model's answer cannot be used: ${error.message} Send the message again.`,
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
