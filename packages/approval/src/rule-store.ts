import type { RuleSet } from "@unroll/exec-policy";
import type { HostLists } from "@unroll/protocol";

/** A rule that allows the commands that start with a prefix. */
interface AllowedPrefix {
  readonly prefix: readonly string[];
  /** The names of the variables that these commands may be given. */
  readonly env: readonly string[];
}

/** The exec-policy rules of a user, and how to add one. */
export interface RuleStore {
  /** Null: there are none. */
  readonly rules: RuleSet | null;
  /** The hosts of its network rules. */
  readonly hosts: HostLists;
  /** Adds a rule to `rules/default.rules`, also while other processes add one. It holds at once. */
  allowPrefix(rule: AllowedPrefix, signal: AbortSignal): Promise<void>;
  /** The same for hosts, each `name:port`. */
  allowHosts(hosts: readonly string[], signal: AbortSignal): Promise<void>;
}
