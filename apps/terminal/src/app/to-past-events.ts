import type { RequestRow } from "@unroll/accounting";
import { addTokenUsage, noTokenUsage, type ThreadEvent, type ThreadItem, type TokenUsage } from "@unroll/protocol";
import type { DocumentStep } from "@unroll/report";
import { parsePastCall } from "../text/parse-past-call.ts";
import { readSaid } from "../text/read-said.ts";

/** What is shown of a step of a thread that was left: what the person said, or what happened, as it was told then. */
export type PastEvent =
  | { readonly type: "said"; readonly text: string; readonly images: number }
  | { readonly type: "told"; readonly event: ThreadEvent };

/** The steps in their order, each turn with its end. `usage`: of the whole thread. `toId`: of an item, unique among all that are shown. */
export function toPastEvents(
  steps: readonly DocumentStep[],
  usage: TokenUsage,
  toId: () => string,
): readonly PastEvent[] {
  const past: PastEvent[] = [];
  let turn: TokenUsage | null = null;
  const endTurn = (): void => {
    if (turn !== null) past.push(told({ type: "turn.completed", usage: turn, thread_usage: usage }));
  };
  for (const step of steps) {
    if (step.type === "turn") {
      endTurn();
      past.push(told({ type: "turn.started", turn_id: `past_${step.turn}` }));
      turn = noTokenUsage;
    } else if (step.type === "request") {
      const asked = toUsage(step.row);
      if (turn !== null && !step.row.isBeside) turn = addTokenUsage(turn, asked);
      past.push(told(toRequestEvent(asked)));
    } else past.push(...toShown(step, toId()));
  }
  endTurn();
  return past;
}

function told(event: ThreadEvent): PastEvent {
  return { type: "told", event };
}

function toUsage({ inputTokens, cachedTokens, writtenTokens, outputTokens }: RequestRow): TokenUsage {
  return {
    ...noTokenUsage,
    input_tokens: inputTokens ?? 0,
    cached_input_tokens: cachedTokens ?? 0,
    cache_write_input_tokens: writtenTokens ?? 0,
    output_tokens: outputTokens ?? 0,
  };
}

/** A miss was told when it was one. */
function toRequestEvent(usage: TokenUsage): ThreadEvent {
  const cache = {
    prefix_bytes: 0,
    shared_bytes: 0,
    shared_tokens: 0,
    cached_tokens: usage.cached_input_tokens,
    cache_write_tokens: usage.cache_write_input_tokens,
    idle_ms: null,
    miss: null,
  };
  return { type: "request.completed", response_id: "", usage, cache };
}

function toShown(step: DocumentStep, id: string): readonly PastEvent[] {
  if (step.type === "message" && step.role === "user") {
    const text = readSaid(step.text);
    return text === null ? [] : [{ type: "said", text, images: step.images.length }];
  }
  const item = toItem(step, id);
  return item === null ? [] : [told({ type: "item.completed", item })];
}

/** Null: nothing is shown of it. */
function toItem(step: DocumentStep, id: string): ThreadItem | null {
  switch (step.type) {
    case "message":
      return step.role === "assistant" ? { id, type: "agent_message", text: step.text } : null;
    case "reasoning":
      return { id, type: "reasoning", text: step.text };
    case "call":
      return { id, ...parsePastCall(step) };
    case "search":
      return { id, type: "web_search", query: step.query, status: "completed" };
    case "ended":
      return { id, type: "error", message: step.how };
    case "turn":
    case "other":
    case "request":
    case "epoch":
    case "undone":
      return null;
  }
}
