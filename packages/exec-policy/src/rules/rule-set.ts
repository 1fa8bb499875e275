import { checkShape } from "@unroll/text";
import type { Decision } from "../language/decision.ts";
import type { RuleLocation } from "../language/rule-location.ts";
import type { NetworkRule } from "../network/network-rule.ts";

/** `prefix_rule(…)`: a decision on every command that starts with the pattern. */
export interface PrefixRule {
  /** One entry a word of the command, each the texts that the word may have. Never empty, nor is any entry. */
  readonly pattern: readonly (readonly string[])[];
  readonly decision: Decision;
  /** Names of variables that a command may be given and still be allowed, besides the routine ones. */
  readonly env: readonly string[];
  /** Why the rule is there and what to do instead; null where its author did not say. */
  readonly justification: string | null;
  readonly location: RuleLocation;
}

/** `host_executable(…)`: the only paths that count as the program `name` for rules that allow it. */
export interface HostExecutable {
  readonly name: string;
  /** Absolute, or starting with `~/` for the person's home. */
  readonly paths: readonly string[];
  readonly location: RuleLocation;
}

/** The rules of one or several files. */
export interface RuleSet {
  readonly prefixRules: readonly PrefixRule[];
  readonly networkRules: readonly NetworkRule[];
  readonly hostExecutables: readonly HostExecutable[];
}

/**
 * The rules of several files as one set, in the order given; no set at all gives the empty one. The order does not
 * matter for decisions, the strictest wins; of two `host_executable` of one name the later one holds.
 */
export function mergeRules(sets: readonly RuleSet[]): RuleSet {
  checkShape("mergeRules", { sets }, { sets: "a list" });
  return {
    prefixRules: sets.flatMap((set) => set.prefixRules),
    networkRules: sets.flatMap((set) => set.networkRules),
    hostExecutables: sets.flatMap((set) => set.hostExecutables),
  };
}
