import type { Violation } from "../check/checks.ts";

/** A law that one request broke. */
export type Problem = Omit<Violation, "request">;

export function toProblems(rule: Problem["rule"], messages: readonly string[]): readonly Problem[] {
  return messages.map((message) => ({ rule, message }));
}
