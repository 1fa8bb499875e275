import { join } from "shlex";
import { toStaticWords } from "../command/shell-word.ts";
import type { PrefixRuleDeclaration, RuleExample } from "./declare-prefix-rule.ts";
import { matchRule } from "./match-rule.ts";
import type { RuleSet } from "./rule-set.ts";
import type { RulesError } from "../language/rules-error.ts";

/** Tests a rule with its own `match` and `not_match`; `rules` gives the host executables of its file. */
export function checkExamples(declaration: PrefixRuleDeclaration, rules: RuleSet): readonly RulesError[] {
  const { rule } = declaration;
  const matches = (example: RuleExample): boolean =>
    matchRule(rule, toStaticWords(example.words), { rules, home: null })?.certain === true;
  const toError = (example: RuleExample, expected: string): RulesError => ({
    file: rule.location.file,
    ...example.at,
    message: `found the example ${join(example.words)}, expected it ${expected} the rule of line ${rule.location.line}`,
  });
  return [
    ...declaration.match.filter((example) => !matches(example)).map((example) => toError(example, "to match")),
    ...declaration.notMatch.filter(matches).map((example) => toError(example, "not to match")),
  ];
}
