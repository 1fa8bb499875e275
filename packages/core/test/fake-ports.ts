import {
  createRequestEncoder,
  createThreadState,
  encodeRequestHead,
  type ModelClient,
  runTurn,
  type ThreadStateOptions,
  type ToolRuntime,
  type TurnPorts,
} from "@unroll/core";
import { forEach } from "@unroll/flow";
import type {
  EncodedRequest,
  MessageItem,
  ModelStreamEvent,
  ResponseItem,
  ResponseUsage,
  StreamOutcome,
  ThreadEvent,
  ToolCallItem,
  ToolOutputItem,
  TurnOutcome,
} from "@unroll/protocol";

/** The fake model's behaviour for one request. */
export type Answer = (signal: AbortSignal) => AsyncGenerator<ModelStreamEvent, StreamOutcome>;

export function user(text: string): MessageItem {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}
export function said(text: string): MessageItem {
  return { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text }] };
}
export function call(callId: string, name = "echo"): ToolCallItem {
  return { type: "function_call", call_id: callId, name, arguments: "{}", id: `fc_${callId}` };
}

const usage: ResponseUsage = { input_tokens: 10, output_tokens: 3, total_tokens: 13 };

export async function* stream(items: readonly ResponseItem[]): AsyncGenerator<ModelStreamEvent, StreamOutcome> {
  for (const [output_index, item] of items.entries()) yield { type: "response.output_item.done", output_index, item };
  return { type: "completed", responseId: "resp_1", usage };
}
export function answer(...items: readonly ResponseItem[]): Answer {
  return () => stream(items);
}

export interface FakeModel extends ModelClient {
  readonly bodies: readonly string[];
}

export function createFakeModel(answers: readonly Answer[]): FakeModel {
  const bodies: string[] = [];
  return {
    bodies,
    stream(request, signal) {
      bodies.push(toText(request));
      const next = answers[bodies.length - 1];
      if (!next) throw new Error(`The fake model has no answer ${bodies.length}.`);
      return next(signal);
    },
  };
}

function toText(request: EncodedRequest): string {
  return Buffer.concat([...request.chunks]).toString("utf8");
}

/** Answers every call with its name; `during` runs while the tools run, which they do not after an abort. */
export function createFakeTools(during: () => void = () => {}): ToolRuntime {
  return {
    specs: [],
    async *run(calls, context) {
      const outputs: ToolOutputItem[] = [];
      for (const item of calls) {
        const shown = { id: context.nextItemId(), type: "error", message: item.name } as const;
        yield { type: "item.completed", item: shown };
        outputs.push({ type: "function_call_output", call_id: item.call_id, output: `ran ${item.name}` });
      }
      if (!context.signal.aborted) during();
      return outputs;
    },
    endTurn: () => [],
  };
}

export interface FakeThread {
  readonly ports: TurnPorts;
}

export interface FakeThreadParts extends ThreadStateOptions {
  readonly tools?: ToolRuntime;
  readonly guards?: TurnPorts["guards"];
}

export function createFakeThread(model: ModelClient, parts: FakeThreadParts = {}): FakeThread {
  const { tools = createFakeTools(), guards = [] } = parts;
  const requests = createRequestEncoder(
    encodeRequestHead({
      threadId: "thread-1",
      model: "test-model",
      instructions: "Be brief.",
      tools: tools.specs,
      parallelToolCalls: true,
      store: false,
      encryptedReasoning: true,
      promptCacheKey: "thread-1",
    }),
  );
  return { ports: { state: createThreadState(parts), requests, model, tools, guards } };
}

export interface RanTurn {
  readonly events: readonly ThreadEvent[];
  readonly outcome: TurnOutcome;
}

export async function runToEnd(
  { ports }: FakeThread,
  text: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<RanTurn> {
  const events: ThreadEvent[] = [];
  const turn = runTurn(ports, [user(text)], { turnId: "turn-1", signal, request: () => ({}) });
  const outcome = await forEach(turn, (event) => void events.push(event));
  return { events, outcome };
}

/** How the events of a turn begin that was asked "Hi". */
export const begun = [
  { type: "turn.started", turn_id: "turn-1" },
  { type: "input.received", input: [{ type: "text", text: "Hi" }] },
  { type: "request.started", items: 1, is_beside: false },
];
