import { flatMap } from "@unroll/flow";
import type {
  EncodedRequest,
  MessageItem,
  ModelError,
  ModelStreamEvent,
  ResponseDeltaEvent,
  ResponseItem,
  StreamRetry,
  ThreadEvent,
  TokenUsage,
} from "@unroll/protocol";
import type { ModelClient } from "../port/model-client.ts";
import type { OpenRequest } from "../state/request-ledger.ts";
import { toThreadItem } from "./thread-items.ts";

/** A response that came whole, or why there is none. Of one that did not come whole only the messages are kept. */
export type CollectedResponse =
  | CompletedResponse
  | ({ readonly type: "failed"; readonly error: ModelError } & CutResponse)
  | ({ readonly type: "aborted" } & CutResponse);

export interface CompletedResponse {
  readonly type: "completed";
  readonly items: readonly ResponseItem[];
  readonly usage: TokenUsage | null;
  /** What programs are shown of it, once it is recorded. */
  readonly shown: readonly ThreadEvent[];
}

/** What the model said before it was stopped: messages alone, for reasoning and calls are nothing in part. */
interface CutResponse {
  readonly items: readonly MessageItem[];
  readonly shown: readonly ThreadEvent[];
}

export interface CollectContext {
  readonly signal: AbortSignal;
  readonly nextItemId: () => string;
  /** Told once, when the answer is whole. */
  readonly request: Pick<OpenRequest, "answer">;
}

/** What came of a response so far, by output index. */
interface Received {
  readonly finished: Map<number, ResponseItem>;
  /** The text of messages that are not finished. */
  readonly open: Map<number, string>;
}

type ItemIdOf = (outputIndex: number) => string;

const nothing: CutResponse = { items: [], shown: [] };

/**
 * Streams one request: live text goes out as it comes, finished items are held back until the response is whole, so
 * that a retried stream shows and records nothing twice.
 */
export async function* collectResponse(
  model: ModelClient,
  request: EncodedRequest,
  context: CollectContext,
): AsyncGenerator<ThreadEvent, CollectedResponse> {
  const idOf = createIdsByIndex(context.nextItemId);
  const received: Received = { finished: new Map(), open: new Map() };
  const outcome = yield* flatMap(model.stream(request, context.signal), (event) => {
    receive(received, event);
    // in the order of the response, also where only the end of it shows something
    if (event.type === "response.output_item.done" && event.item.type === "web_search_call") idOf(event.output_index);
    const live = toLiveEvent(event, idOf);
    return live ? [live] : [];
  });
  switch (outcome.type) {
    case "completed": {
      const { usage, cache } = context.request.answer(outcome.responseId, outcome.usage);
      const completed = { type: "request.completed", response_id: outcome.responseId, usage, cache } as const;
      const shown = [...showItems(received.finished, idOf), completed];
      return { type: "completed", items: [...received.finished.values()], usage, shown };
    }
    case "failed": {
      // any other failure is of a server that may have sent anything
      const kept = outcome.error.code === "incomplete" ? keepMessages(received, idOf, "incomplete") : nothing;
      return { ...outcome, ...kept };
    }
    case "aborted":
      return { ...outcome, ...keepMessages(received, idOf, "interrupted") };
  }
}

function receive({ finished, open }: Received, event: ModelStreamEvent): void {
  switch (event.type) {
    case "stream.retrying":
      finished.clear();
      open.clear();
      return;
    case "response.output_text.delta":
      open.set(event.output_index, (open.get(event.output_index) ?? "") + event.delta);
      return;
    case "response.output_item.done":
      open.delete(event.output_index);
      finished.set(event.output_index, event.item);
      return;
    case "response.output_item.added":
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
    case "response.function_call_arguments.delta":
    case "response.custom_tool_call_input.delta":
    case "response.reasoning_summary_part.added":
    case "response.completed":
    case "response.failed":
    case "response.incomplete":
    case "error":
      return;
  }
}

function showItems(finished: ReadonlyMap<number, ResponseItem>, idOf: ItemIdOf): readonly ThreadEvent[] {
  return [...finished].flatMap(([outputIndex, item]) => {
    const shown = toThreadItem(item, () => idOf(outputIndex));
    if (shown === null) return [];
    const completed = { type: "item.completed", item: shown } as const;
    // the provider ran it: when it began is not known before the response is whole
    return shown.type === "web_search" ? [{ type: "item.started", item: shown }, completed] : [completed];
  });
}

function keepMessages({ finished, open }: Received, idOf: ItemIdOf, cut: "interrupted" | "incomplete"): CutResponse {
  const whole = [...finished].filter((entry): entry is [number, MessageItem] => entry[1].type === "message");
  const parts = [...open].filter(([, text]) => text !== "");
  const toMessage = (text: string): MessageItem => ({
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text }],
  });
  return {
    items: [...whole.map(([, item]) => item), ...parts.map(([, text]) => toMessage(text))],
    shown: [
      ...showItems(new Map(whole), idOf),
      ...parts.map(([index, text]): ThreadEvent => {
        return { type: "item.completed", item: { id: idOf(index), type: "agent_message", text, cut } };
      }),
    ],
  };
}

function toLiveEvent(event: ModelStreamEvent, idOf: ItemIdOf): ThreadEvent | null {
  switch (event.type) {
    case "stream.retrying":
      return toRetryEvent(event);
    case "response.output_text.delta":
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      return { type: "item.delta", item_id: idOf(event.output_index), kind: kindOf(event.type), delta: event.delta };
    case "response.reasoning_summary_part.added":
      if (event.summary_index === 0) return null;
      return { type: "item.delta", item_id: idOf(event.output_index), kind: "reasoning", delta: "\n\n" };
    case "response.output_item.added":
    case "response.output_item.done":
    case "response.function_call_arguments.delta":
    case "response.custom_tool_call_input.delta":
    case "response.completed":
    case "response.failed":
    case "response.incomplete":
    case "error":
      return null;
  }
}

export function toRetryEvent({ attempt, maxAttempts, delayMs, cause }: StreamRetry): ThreadEvent {
  const { code, message } = cause;
  return { type: "stream.retrying", attempt, max_attempts: maxAttempts, delay_ms: delayMs, cause: { code, message } };
}

function kindOf(type: ResponseDeltaEvent["type"]): "agent_message" | "reasoning" {
  return type === "response.output_text.delta" ? "agent_message" : "reasoning";
}

/** An item keeps its id when a retried stream begins it anew. */
function createIdsByIndex(nextItemId: () => string): ItemIdOf {
  const ids = new Map<number, string>();
  return (outputIndex) => {
    const id = ids.get(outputIndex) ?? nextItemId();
    ids.set(outputIndex, id);
    return id;
  };
}
