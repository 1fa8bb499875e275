import { toFields, type TokenUsage } from "@unroll/protocol";

/** Reads a count of a `token_count`, ours or the Codex CLI's. Null: there is none. */
export function parseUsage(value: unknown): TokenUsage | null {
  const fields = toFields(value);
  const count = (key: string): number => (typeof fields[key] === "number" ? fields[key] : 0);
  if (typeof fields["input_tokens"] !== "number") return null;
  return {
    input_tokens: count("input_tokens"),
    cached_input_tokens: count("cached_input_tokens"),
    cache_write_input_tokens: count("cache_write_input_tokens"),
    output_tokens: count("output_tokens"),
    reasoning_output_tokens: count("reasoning_output_tokens"),
  };
}
