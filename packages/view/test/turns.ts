import type { CommandExecutionThreadItem, RequestCache, ThreadEvent, TokenUsage } from "@unroll/protocol";

/** Tokens in and out; the rest is 0. */
export function usage(input: number, output = 0): TokenUsage {
  return {
    input_tokens: input,
    cached_input_tokens: 0,
    cache_write_input_tokens: 0,
    output_tokens: output,
    reasoning_output_tokens: 0,
  };
}

/** The cache facts of a first request. */
export const cache: RequestCache = {
  prefix_bytes: 400,
  shared_bytes: 0,
  shared_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  idle_ms: null,
  miss: null,
};

export function command(id: string, more: Partial<CommandExecutionThreadItem> = {}): CommandExecutionThreadItem {
  return {
    id,
    type: "command_execution",
    command: "ls",
    aggregated_output: "",
    exit_code: null,
    status: "in_progress",
    ...more,
  };
}

export const done = { exit_code: 0, status: "completed" } as const;

/** A turn: a thought, a command, an answer, each live first. */
export const turn: readonly ThreadEvent[] = [
  { type: "thread.started", thread_id: "t" },
  { type: "turn.started", turn_id: "one" },
  { type: "item.delta", item_id: "item_0", kind: "reasoning", delta: "Let me " },
  { type: "item.delta", item_id: "item_0", kind: "reasoning", delta: "look." },
  { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "Let me look." } },
  { type: "request.completed", response_id: "r1", usage: usage(100, 10), cache },
  { type: "item.started", item: command("item_1") },
  { type: "item.delta", item_id: "item_1", kind: "command_output", delta: "a.txt\n" },
  { type: "item.completed", item: command("item_1", { ...done, aggregated_output: "a.txt\n" }) },
  { type: "item.delta", item_id: "item_2", kind: "agent_message", delta: "There is " },
  { type: "item.delta", item_id: "item_2", kind: "agent_message", delta: "a.txt." },
  { type: "item.completed", item: { id: "item_2", type: "agent_message", text: "There is a.txt." } },
  { type: "request.completed", response_id: "r2", usage: usage(150, 5), cache },
  { type: "turn.completed", usage: usage(250, 15) },
];
