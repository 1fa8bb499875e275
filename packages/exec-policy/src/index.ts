export { evaluateApproval } from "./approval/evaluate-approval.ts";
export { checkCommand } from "./check-command.ts";
export { findDanger } from "./danger/find-danger.ts";
export { judgeCommand } from "./judge/judge-command.ts";
export { describePrefix } from "./prefix/describe-prefix.ts";
export { proposePrefix } from "./prefix/propose-prefix.ts";
export { appendRule, renderPrefixRule } from "./prefix/render-prefix-rule.ts";
export { findNetworkRule } from "./rules/find-network-rule.ts";
export { parseRules } from "./rules/parse-rules.ts";
export { mergeRules } from "./rules/rule-set.ts";
export { formatRulesError } from "./rules/rules-error.ts";
export { isKnownSafeReadCommand } from "./safe/is-known-safe-read-command.ts";
export { readScript } from "./shell/read-script.ts";

export type { ApprovalOutcome, ApprovalQuestion, SandboxPermissions } from "./approval/evaluate-approval.ts";
export type { CheckedCommand, CheckedRule, CommandCheck, RulesFile } from "./check-command.ts";
export type { Danger, JudgeContext } from "./danger/danger.ts";
export type { Decision } from "./decision.ts";
export type { JudgedCommand } from "./judge/judge-command.ts";
export type { CommandVerdict, DecisionSource, Verdict } from "./judge/verdict.ts";
export type { PrefixDescription } from "./prefix/describe-prefix.ts";
export type { RuleMatch } from "./rules/match-rule.ts";
export type { ParsedRules } from "./rules/parse-rules.ts";
export type {
  HostExecutable,
  NetworkProtocol,
  NetworkRule,
  PrefixRule,
  RuleLocation,
  RuleSet,
} from "./rules/rule-set.ts";
export type { Position, RulesError } from "./rules/rules-error.ts";
export type { ShellDialect } from "./shell/read-script.ts";
export type { ShellWord } from "./shell/shell-word.ts";
export type { FileRedirect, ScriptFlaw, ScriptReading, SimpleCommand } from "./shell/simple-command.ts";
