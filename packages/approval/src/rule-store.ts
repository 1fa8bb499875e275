import type { RuleSet } from "@unroll/exec-policy";

/** The exec-policy rules of a user, and how to add one. */
export interface RuleStore {
  /** Null: there are none. */
  readonly rules: RuleSet | null;
  /** Adds a rule that allows the prefix to `rules/default.rules`, whoever else adds one; it holds at once. */
  allowPrefix(prefix: readonly string[], signal: AbortSignal): Promise<void>;
}
