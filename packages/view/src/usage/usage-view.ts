import { noTokenUsage, type TokenUsage, type TurnTerminalEvent } from "@unroll/protocol";

/** The tokens that requests used. */
export interface UsageView {
  /**
   * The usage of the latest request that reported one: the thread's share of the context window. Null: none since the
   * thread began or was compacted.
   */
  readonly request: TokenUsage | null;
  /** The usage of the running turn so far, or of the last one. */
  readonly turn: TokenUsage;
  /**
   * The usage of all turns, including the running one. From the end of a turn on, it includes turns in other processes.
   */
  readonly thread: TokenUsage;
}

/** The usage of a new thread. */
export const noUsage: UsageView = { request: null, turn: noTokenUsage, thread: noTokenUsage };

export function beginTurnUsage({ request, thread }: UsageView): UsageView {
  return { request, turn: noTokenUsage, thread };
}

/** The last request's usage does not predict the next one's. */
export function forgetRequestUsage(usage: UsageView): UsageView {
  return { ...usage, request: null };
}

/** `request`: null where the server did not tell. */
export function addRequestUsage(usage: UsageView, request: TokenUsage | null): UsageView {
  if (request === null) return usage;
  return { request, turn: add(usage.turn, request), thread: add(usage.thread, request) };
}

/**
 * The usage in the event at a turn's end wins: single requests may not have reported theirs, and other processes may
 * have run turns before.
 */
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
