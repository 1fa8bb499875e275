import { noTokenUsage, type TokenUsage, type TurnTerminalEvent } from "@unroll/protocol";

/** What requests used. */
export interface UsageView {
  /** Of the last request that told it, in this turn or before: what the thread takes of the context window. Null: none did since it began, or was shortened. */
  readonly request: TokenUsage | null;
  /** Of the running turn so far, or of the last one. */
  readonly turn: TokenUsage;
  /** Of all turns, with the running one; from the end of a turn on, those that other processes ran too. */
  readonly thread: TokenUsage;
}

/** Of a thread that begins. */
export const noUsage: UsageView = { request: null, turn: noTokenUsage, thread: noTokenUsage };

export function beginTurnUsage({ request, thread }: UsageView): UsageView {
  return { request, turn: noTokenUsage, thread };
}

/** What the last request took is not what the next one takes. */
export function forgetRequestUsage(usage: UsageView): UsageView {
  return { ...usage, request: null };
}

/** `request`: null where the server did not tell. */
export function addRequestUsage(usage: UsageView, request: TokenUsage | null): UsageView {
  if (request === null) return usage;
  return { request, turn: add(usage.turn, request), thread: add(usage.thread, request) };
}

/** What the turn says at its end stands, also where not every request told its own, or other processes ran turns before. */
export function endTurnUsage(usage: UsageView, { usage: turn, thread_usage: thread }: TurnTerminalEvent): UsageView {
  return { request: usage.request, turn, thread: thread ?? add(usage.thread, turn, usage.turn) };
}

function add(total: TokenUsage, more: TokenUsage, less: TokenUsage = noTokenUsage): TokenUsage {
  return {
    input_tokens: total.input_tokens + more.input_tokens - less.input_tokens,
    cached_input_tokens: total.cached_input_tokens + more.cached_input_tokens - less.cached_input_tokens,
    cache_write_input_tokens:
      total.cache_write_input_tokens + more.cache_write_input_tokens - less.cache_write_input_tokens,
    output_tokens: total.output_tokens + more.output_tokens - less.output_tokens,
    reasoning_output_tokens:
      total.reasoning_output_tokens + more.reasoning_output_tokens - less.reasoning_output_tokens,
  };
}
