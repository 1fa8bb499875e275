import { flatMap } from "@unroll/flow";
import type {
  EncodedRequest,
  ModelError,
  ModelStreamEvent,
  ResponseDeltaEvent,
  ResponseItem,
  ThreadEvent,
  TokenUsage,
} from "@unroll/protocol";
import type { ModelClient } from "../port/model-client.ts";
import { toThreadItem } from "./thread-items.ts";
import { toTokenUsage } from "./usage.ts";

/** A response that came whole, or why there is none. Items of a response that did not come whole are dropped. */
export type CollectedResponse =
  | {
      readonly type: "completed";
      readonly items: readonly ResponseItem[];
      readonly usage: TokenUsage | null;
      /** What programs are shown of it, once it is recorded. */
      readonly shown: readonly ThreadEvent[];
    }
  | { readonly type: "failed"; readonly error: ModelError }
  | { readonly type: "aborted" };

export interface CollectContext {
  readonly signal: AbortSignal;
  readonly nextItemId: () => string;
}

interface FinishedItem {
  readonly outputIndex: number;
  readonly item: ResponseItem;
}

/**
 * Streams one request: live text goes out as it comes, finished items are held back until the response is whole, so
 * that a retried stream shows and records nothing twice.
 */
export async function* collectResponse(
  model: ModelClient,
  request: EncodedRequest,
  context: CollectContext,
): AsyncGenerator<ThreadEvent, CollectedResponse> {
  const ids = createIdsByIndex(context.nextItemId);
  let finished: FinishedItem[] = [];
  const outcome = yield* flatMap(model.stream(request, context.signal), (event) => {
    if (event.type === "stream.retrying") finished = [];
    if (event.type === "response.output_item.done") {
      finished.push({ outputIndex: event.output_index, item: event.item });
    }
    const live = toLiveEvent(event, ids);
    return live ? [live] : [];
  });
  if (outcome.type !== "completed") return outcome;
  const usage = outcome.usage && toTokenUsage(outcome.usage);
  const completed = { type: "request.completed", response_id: outcome.responseId, usage } as const;
  const shown = [...showItems(finished, ids), completed];
  return { type: "completed", items: finished.map(({ item }) => item), usage, shown };
}

function showItems(finished: readonly FinishedItem[], ids: (outputIndex: number) => string): readonly ThreadEvent[] {
  return finished.flatMap(({ outputIndex, item }) => {
    const shown = toThreadItem(item, () => ids(outputIndex));
    return shown ? [{ type: "item.completed", item: shown }] : [];
  });
}

function toLiveEvent(event: ModelStreamEvent, ids: (outputIndex: number) => string): ThreadEvent | null {
  switch (event.type) {
    case "stream.retrying":
      return {
        type: "stream.retrying",
        attempt: event.attempt,
        max_attempts: event.maxAttempts,
        delay_ms: event.delayMs,
        cause: { code: event.cause.code, message: event.cause.message },
      };
    case "response.output_text.delta":
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      return { type: "item.delta", item_id: ids(event.output_index), kind: kindOf(event.type), delta: event.delta };
    case "response.reasoning_summary_part.added":
      if (event.summary_index === 0) return null;
      return { type: "item.delta", item_id: ids(event.output_index), kind: "reasoning", delta: "\n\n" };
    default:
      return null;
  }
}

function kindOf(type: ResponseDeltaEvent["type"]): "agent_message" | "reasoning" {
  return type === "response.output_text.delta" ? "agent_message" : "reasoning";
}

/** An item keeps its id when a retried stream begins it anew. */
function createIdsByIndex(nextItemId: () => string): (outputIndex: number) => string {
  const ids = new Map<number, string>();
  return (outputIndex) => {
    const id = ids.get(outputIndex) ?? nextItemId();
    ids.set(outputIndex, id);
    return id;
  };
}
