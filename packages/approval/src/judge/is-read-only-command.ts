import { judgeCommand, mergeRules, type RuleSet } from "@unroll/exec-policy";
import type { CommandLine } from "@unroll/tools";

export const noRules: RuleSet = mergeRules([]);

/** Filters and diff drivers of a repository do not keep `git status` from running beside others. */
const context = { cwd: "/", home: null, git: { runsPrograms: false, hasSubmodules: false } };

/** Whether all that a command line runs is known to only read: such calls may run side by side. */
export function isReadOnlyCommand({ argv }: CommandLine): boolean {
  return judgeCommand({ argv }, noRules, context).source.type === "read.recognised";
}
