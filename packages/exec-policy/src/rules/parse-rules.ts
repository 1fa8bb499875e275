import { checkShape } from "@unroll/text";
import { createArgumentReader } from "../language/argument-reader.ts";
import { checkExamples } from "./check-examples.ts";
import { declareHostExecutable } from "./declare-host-executable.ts";
import { declareNetworkRule } from "../network/declare-network-rule.ts";
import { declarePrefixRule, type PrefixRuleDeclaration } from "./declare-prefix-rule.ts";
import { parseStatements, type RuleCall, type RuleFunction } from "../language/parse-statements.ts";
import type { NetworkRule } from "../network/network-rule.ts";
import type { HostExecutable, RuleSet } from "./rule-set.ts";
import type { RulesError } from "../language/rules-error.ts";
import { createTokenCursor } from "../language/token-cursor.ts";
import { tokenize } from "../language/tokenize.ts";

/** A rules file, read: its rules, or everything that is wrong with it (never an empty list). */
export type ParsedRules =
  | { readonly type: "rules.parsed"; readonly rules: RuleSet }
  | { readonly type: "rules.refused"; readonly errors: readonly RulesError[] };

/** The arguments of each function. */
const argumentNames: Readonly<Record<RuleFunction, readonly string[]>> = {
  prefix_rule: ["pattern", "decision", "env", "match", "not_match", "justification"],
  network_rule: ["host", "protocol", "decision", "justification"],
  host_executable: ["name", "paths"],
};

/**
 * Reads a `*.rules` file: calls of `prefix_rule`, `network_rule` and `host_executable` and constants, in a subset of
 * Starlark. All or nothing: a file with anything else in it (def, if, for, load, comprehension, f-string), or with an
 * example that its rule does not hold, is refused, for a rule that is skipped without a word would open a door.
 * `file` is the name that errors and rules carry. Never throws.
 */
export function parseRules(text: string, file: string): ParsedRules {
  checkShape("parseRules", { text, file }, { text: "text", file: "text" });
  const calls = parseStatements(createTokenCursor(tokenize(text)));
  if ("type" in calls) return { type: "rules.refused", errors: [{ file, ...calls.at, message: calls.message }] };
  const declared = declareRules(calls, file);
  const rules: RuleSet = {
    prefixRules: declared.prefixes.map((prefix) => prefix.rule),
    networkRules: declared.networkRules,
    hostExecutables: declared.hostExecutables,
  };
  const errors = [...declared.errors, ...declared.prefixes.flatMap((prefix) => checkExamples(prefix, rules))];
  return errors.length === 0 ? { type: "rules.parsed", rules } : { type: "rules.refused", errors };
}

interface Declarations {
  readonly prefixes: readonly PrefixRuleDeclaration[];
  readonly networkRules: readonly NetworkRule[];
  readonly hostExecutables: readonly HostExecutable[];
  readonly errors: readonly RulesError[];
}

function declareRules(calls: readonly RuleCall[], file: string): Declarations {
  const prefixes: PrefixRuleDeclaration[] = [];
  const networkRules: NetworkRule[] = [];
  const hostExecutables: HostExecutable[] = [];
  const errors: RulesError[] = [];
  for (const call of calls) {
    const reader = createArgumentReader(file, call);
    const location = { file, ...call.at };
    if (call.name === "prefix_rule") prefixes.push(...present(declarePrefixRule(reader, location)));
    else if (call.name === "network_rule") networkRules.push(...present(declareNetworkRule(reader, location)));
    else hostExecutables.push(...present(declareHostExecutable(reader, location)));
    for (const [name, value] of call.arguments) {
      const known = argumentNames[call.name];
      if (!known.includes(name)) reader.fail(`found the argument ${name}, expected ${known.join(", ")}`, value.at);
    }
    errors.push(...reader.errors);
  }
  return { prefixes, networkRules, hostExecutables, errors };
}

function present<T>(value: T | null): readonly T[] {
  return value === null ? [] : [value];
}
