import { checkShape } from "@unroll/text";
import { type JudgedCommand, judgeCommand } from "./judge/judge-command.ts";
import { renderPrefixRule } from "./prefix/render-prefix-rule.ts";
import { parseRules } from "./rules/parse-rules.ts";
import { mergeRules, type RuleSet } from "./rules/rule-set.ts";

/** A command that somebody is asked about. */
export interface AskedCommand {
  readonly command: JudgedCommand;
  /** Absolute. */
  readonly cwd: string;
  /** The prefix that "always allow" would write, as it was offered. */
  readonly proposedPrefix: readonly string[];
  /** The variables that it would name. */
  readonly proposedEnv: readonly string[];
}

/**
 * Whether a rule that allows `prefix` speaks of the command asked about: it is the beginning of what was offered, or allows
 * a part of the command that nothing else does. A person who edits what was offered may miss it.
 */
export function answersQuestion(prefix: readonly string[], asked: AskedCommand): boolean {
  checkShape(
    "answersQuestion",
    { prefix, asked },
    { prefix: "a list", "asked.command": "an object", "asked.proposedPrefix": "a list", "asked.proposedEnv": "a list" },
  );
  if (prefix.length === 0) return false;
  if (prefix.every((word, index) => word === asked.proposedPrefix[index])) return true;
  const parsed = parseRules(renderPrefixRule(prefix, asked.proposedEnv), "always");
  return parsed.type === "rules.parsed" && countStopped(asked, parsed.rules) < countStopped(asked, mergeRules([]));
}

function countStopped({ command, cwd }: AskedCommand, rules: RuleSet): number {
  const { commands } = judgeCommand(command, rules, { cwd, home: null });
  return commands.filter(({ decision }) => decision !== "allow").length;
}
