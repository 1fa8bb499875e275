import type { Danger } from "../danger/danger.ts";
import type { Decision } from "../language/decision.ts";
import type { RuleMatch } from "../rules/match-rule.ts";
import type { ReadGrant } from "../safe/read-grant.ts";
import type { NetworkRule } from "../network/network-rule.ts";
import type { PrefixRule } from "../rules/rule-set.ts";

/** The rule or finding that decided on a command. */
export type DecisionSource =
  /** A rule covers it. */
  | { readonly type: "rule.matched"; readonly match: RuleMatch }
  /** A rule that stops commands or connections may cover it: the words that tell are only known when it runs. */
  | { readonly type: "rule.suspected"; readonly rule: PrefixRule | NetworkRule }
  /** It names a host that a network rule forbids or asks about. */
  | { readonly type: "network.matched"; readonly rule: NetworkRule }
  /** It is dangerous. `consent` is a rule that allows exactly this command, word for word; null without one. */
  | { readonly type: "danger.found"; readonly danger: Danger; readonly consent: RuleMatch | null }
  /** Part of the script could not be read, or may run more than it says; `detail` is what, as a noun phrase. */
  | { readonly type: "script.unread"; readonly detail: string }
  /** Nothing speaks for it. `detail` is why, as a clause that follows "it". */
  | { readonly type: "command.unlisted"; readonly detail: string }
  /** It only reads by itself, but not beside the rest of the line. `detail` is why, as a clause that follows "it". */
  | { readonly type: "read.withheld"; readonly detail: string }
  /** It is on the list of commands that only read; `grant` is what that depends on. */
  | { readonly type: "read.recognised"; readonly grant: ReadGrant };

/** The judgement on one simple command. */
export interface PartVerdict {
  /** The words as they are known; of one that is only known when it runs, its source. Empty where no program runs. */
  readonly argv: readonly string[];
  /** The same as one would type it, for a person. */
  readonly text: string;
  readonly decision: Decision;
  readonly source: DecisionSource;
  /** Whether the shell opens a file for it to read: `< file`, `$(< file)`, or a folder: `echo folder/*`. */
  readonly opensFile: boolean;
  /**
   * The prefix that a rule could allow, so that the command is not asked about again; null: no rule
   * should.
   */
  readonly proposedPrefix: readonly string[] | null;
  /** The names of the variables that such a rule would have to name; empty without `proposedPrefix`. */
  readonly proposedEnv: readonly string[];
}

/** The judgement on everything that a command line runs: as strict as its strictest part. */
export interface Verdict {
  readonly decision: Decision;
  /** The rule or finding that decided. */
  readonly source: DecisionSource;
  /** One sentence for a person: the rule with its file and line, or what made the decision. */
  readonly reason: string;
  /** Its simple commands in order, those of wrappers and substitutions too. */
  readonly commands: readonly PartVerdict[];
  /**
   * Variables that the caller must set for the command: without them what only reads may run what a repository or a
   * settings file names. Empty where the verdict does not depend on any.
   */
  readonly environment: Readonly<Record<string, string>>;
  /** The first prefix that stands between it and `allow`; null where a rule would not help. */
  readonly proposedPrefix: readonly string[] | null;
  /** The names of the variables that such a rule would have to name; empty without `proposedPrefix`. */
  readonly proposedEnv: readonly string[];
}
