/** Which laws a request is held to. */
export interface Checks {
  /** Model, instructions, tools and input extend those of the thread's last request; true when absent. */
  readonly prefix?: boolean;
  /** Each tool call has exactly one output, in its place; true when absent. */
  readonly calls?: boolean;
  /** `stream`, `include`, `prompt_cache_key`, no `previous_response_id`, and `store`; true when absent. */
  readonly fields?: boolean;
  /** The value that `store` must have; false when absent. */
  readonly store?: boolean;
}

/** A law that a request broke. */
export interface Violation {
  readonly rule:
    | "invalid_body"
    | "request_fields"
    | "call_outputs"
    | "prefix_law"
    | "stale_content"
    | "not_supported"
    | "expectation"
    | "script_exhausted"
    | "respond_failed";
  /** Which request of its endpoint, counted from 1. */
  readonly request: number;
  readonly message: string;
}

/** A law that one request broke. */
export type Problem = Omit<Violation, "request">;

export function toProblems(rule: Problem["rule"], messages: readonly string[]): readonly Problem[] {
  return messages.map((message) => ({ rule, message }));
}
