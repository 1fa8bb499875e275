import { checkShape } from "@unroll/text";
import type { JudgeContext } from "./command/judge-context.ts";
import type { Decision } from "./language/decision.ts";
import { judgeCommand } from "./judge/judge-command.ts";
import type { PartVerdict } from "./judge/verdict.ts";
import type { RuleMatch } from "./rules/match-rule.ts";
import { parseRules } from "./rules/parse-rules.ts";
import { mergeRules } from "./rules/rule-set.ts";
import type { RulesError } from "./language/rules-error.ts";

/** A rules file to check a command with. */
export interface RulesFile {
  readonly file: string;
  readonly text: string;
}

/** A rule that a part of the command met. */
interface CheckedRule {
  readonly prefixRuleMatch: {
    readonly matchedPrefix: readonly string[];
    readonly decision: Decision;
    readonly justification?: string;
    /** The path in the command, where the rule names the program without it. */
    readonly resolvedProgram?: string;
    readonly file: string;
    readonly line: number;
  };
}

/** A simple command of what was checked. `source` is a tag of `DecisionSource`. */
interface CheckedCommand {
  readonly argv: readonly string[];
  readonly decision: Decision;
  readonly source: PartVerdict["source"]["type"];
  /** Where a network rule decided. */
  readonly networkRule?: { readonly host: string; readonly file: string; readonly line: number };
}

/**
 * The output of `unroll execpolicy check`, as plain JSON data. `decision` and `matchedRules` are
 * named as in Codex.
 */
export type CommandCheck =
  | {
      readonly type: "check.completed";
      readonly decision: Decision;
      /** One sentence that names the rule or finding that decided. */
      readonly reason: string;
      /** The rules that decided on a part of the command, one entry for each part. */
      readonly matchedRules: readonly CheckedRule[];
      readonly commands: readonly CheckedCommand[];
    }
  | { readonly type: "check.failed"; readonly errors: readonly RulesError[] };

/** Judges a command by rules files as they are on disk; the errors of all of them where one cannot be read. */
export function checkCommand(
  files: readonly RulesFile[],
  argv: readonly string[],
  context: JudgeContext,
): CommandCheck {
  checkShape("checkCommand", { files, argv, context }, { files: "a list", argv: "a list", "context.cwd": "text" });
  const parsed = files.map(({ text, file }) => parseRules(text, file));
  const errors = parsed.flatMap((result) => (result.type === "rules.refused" ? result.errors : []));
  if (errors.length > 0) return { type: "check.failed", errors };
  const rules = mergeRules(parsed.flatMap((result) => (result.type === "rules.parsed" ? [result.rules] : [])));
  const verdict = judgeCommand({ argv }, rules, context);
  return {
    type: "check.completed",
    decision: verdict.decision,
    reason: verdict.reason,
    matchedRules: verdict.commands.flatMap(({ source }) =>
      source.type === "rule.matched" ? [toCheckedRule(source.match)] : [],
    ),
    commands: verdict.commands.map(toCheckedCommand),
  };
}

function toCheckedCommand({ argv, decision, source }: PartVerdict): CheckedCommand {
  const checked = { argv, decision, source: source.type };
  if (source.type !== "network.matched") return checked;
  const { host, location } = source.rule;
  return { ...checked, networkRule: { host, file: location.file, line: location.line } };
}

function toCheckedRule(match: RuleMatch): CheckedRule {
  const { rule, matchedPrefix, resolvedProgram } = match;
  return {
    prefixRuleMatch: {
      matchedPrefix,
      decision: rule.decision,
      ...(rule.justification === null ? {} : { justification: rule.justification }),
      ...(resolvedProgram === null ? {} : { resolvedProgram }),
      file: rule.location.file,
      line: rule.location.line,
    },
  };
}
