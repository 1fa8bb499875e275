import { flatMap } from "@unroll/flow";
import {
  type EncodedRequest,
  isToolCall,
  type MessageItem,
  type ModelError,
  type ModelStreamEvent,
  type ResponseItem,
  type StreamRetry,
  type ThreadEvent,
  type TokenUsage,
  type ToolCallItem,
  type TurnError,
} from "@unroll/protocol";
import type { ModelClient } from "../port/model-client.ts";
import type { OpenRequest } from "../state/request-ledger.ts";
import { toThreadItem } from "./thread-items.ts";

/** A response that came whole, or why there is none. */
export type CollectedResponse =
  | CompletedResponse
  | ({ readonly type: "failed"; readonly error: ModelError; readonly usage: TokenUsage | null } & CutResponse)
  | ({ readonly type: "aborted" } & CutResponse);

export interface CompletedResponse {
  readonly type: "completed";
  readonly items: readonly ResponseItem[];
  readonly calls: readonly ToolCallItem[];
  readonly usage: TokenUsage | null;
  /** Events for programs, shown once the response is recorded. */
  readonly shown: readonly ThreadEvent[];
}

/** How far an answer came that was stopped. */
interface CutResponse {
  /** Messages only, because servers refuse reasoning without its consequences. */
  readonly items: readonly MessageItem[];
  /** Calls that arrived whole; they never run. */
  readonly calls: readonly ToolCallItem[];
  readonly shown: readonly ThreadEvent[];
}

export interface CollectContext {
  readonly signal: AbortSignal;
  readonly nextItemId: () => string;
  /** Told once, when the answer is whole. */
  readonly request: Pick<OpenRequest, "answer">;
}

/** The parts of a response so far, by the number of the item. */
interface Received {
  readonly finished: Map<number, ResponseItem>;
  /** The text of what is not finished. */
  readonly open: Map<number, { readonly type: "agent_message" | "reasoning"; text: string }>;
}

type ItemIdOf = (outputIndex: number) => string;

const nothing: CutResponse = { items: [], calls: [], shown: [] };

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
    // in the order of the response, also where only the end of it shows something
    if (event.type === "response.output_item.done" && event.item.type === "web_search_call") idOf(event.output_index);
    const live = toLiveEvent(event, idOf);
    receive(received, event, live);
    return live ? [live] : [];
  });
  switch (outcome.type) {
    case "completed": {
      const { usage, told } = context.request.answer(outcome);
      const items = listFinished(received).map(([, item]) => item);
      const shown = [...showItems(received, idOf), told];
      return { type: "completed", items, calls: items.filter(isToolCall), usage, shown };
    }
    case "failed": {
      const { counted, ...failure } = outcome;
      // any other failure is of a server that may have sent anything
      const cut = failure.error.code === "incomplete" ? takeCut(received, idOf, "incomplete") : nothing;
      if (counted === undefined) return { ...failure, ...cut, usage: null };
      const { usage, told } = context.request.answer(counted);
      return { ...failure, ...cut, usage, shown: [...cut.shown, told] };
    }
    case "aborted":
      return { ...outcome, ...takeCut(received, idOf, "interrupted") };
  }
}

function receive({ finished, open }: Received, event: ModelStreamEvent, live: ThreadEvent | null): void {
  if (event.type === "stream.retrying") {
    finished.clear();
    open.clear();
  } else if (event.type === "response.output_item.done") {
    open.delete(event.output_index);
    finished.set(event.output_index, event.item);
  } else if (live?.type === "item.delta" && live.kind !== "command_output" && "output_index" in event) {
    const part = open.get(event.output_index);
    if (part) part.text += live.delta;
    else open.set(event.output_index, { type: live.kind, text: live.delta });
  }
}

/** In the order of the answer: some servers end its items in another one. */
function listFinished({ finished }: Received): readonly (readonly [outputIndex: number, item: ResponseItem])[] {
  return [...finished].toSorted(([left], [right]) => left - right);
}

function showItems(received: Received, idOf: ItemIdOf): readonly ThreadEvent[] {
  return listFinished(received).flatMap(([outputIndex, item]) => {
    const shown = toThreadItem(item, () => idOf(outputIndex));
    if (shown === null) return [];
    const completed = { type: "item.completed", item: shown } as const;
    // the provider ran it: when it began is not known before the response is whole
    if (shown.type !== "web_search") return [completed];
    return [{ type: "item.started", item: { ...shown, status: "in_progress" } }, completed];
  });
}

function takeCut(received: Received, idOf: ItemIdOf, cut: "interrupted" | "incomplete"): CutResponse {
  const whole = listFinished(received).map(([, item]) => item);
  const parts = [...received.open].filter(([, { text }]) => text !== "");
  const said = parts.flatMap(([, { type, text }]) => (type === "agent_message" ? [text] : []));
  return {
    items: [...whole.filter((item) => item.type === "message"), ...said.map(toMessage)],
    calls: whole.filter(isToolCall),
    shown: [
      ...showItems(received, idOf),
      ...parts.map(([index, part]): ThreadEvent => {
        return { type: "item.completed", item: { id: idOf(index), ...part, cut } };
      }),
    ],
  };
}

function toMessage(text: string): MessageItem {
  return { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
}

/** Converts an event that may be shown before the response is whole; null: it may not. */
function toLiveEvent(event: ModelStreamEvent, idOf: ItemIdOf): ThreadEvent | null {
  switch (event.type) {
    case "stream.retrying":
      return toRetryEvent(event);
    case "stream.warning":
      return { type: "warning", message: event.message };
    case "response.output_text.delta":
      return { type: "item.delta", item_id: idOf(event.output_index), kind: "agent_message", delta: event.delta };
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      return { type: "item.delta", item_id: idOf(event.output_index), kind: "reasoning", delta: event.delta };
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

/** A failed request as the failure of its turn. */
export function toTurnError({ code, message, retryAfterMs }: ModelError): TurnError {
  return { code, message, ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }) };
}

/** An item keeps its id when a retried stream restarts it. */
function createIdsByIndex(nextItemId: () => string): ItemIdOf {
  const ids = new Map<number, string>();
  return (outputIndex) => {
    const id = ids.get(outputIndex) ?? nextItemId();
    ids.set(outputIndex, id);
    return id;
  };
}
