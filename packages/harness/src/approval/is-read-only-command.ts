import { judgeCommand, mergeRules } from "@unroll/exec-policy";
import type { CommandLine } from "@unroll/tools";

const noRules = mergeRules([]);

/** Whether all that a command line runs is known to only read: such calls may run side by side. */
export function isReadOnlyCommand({ argv }: CommandLine): boolean {
  return judgeCommand({ argv }, noRules, { cwd: "/", home: null }).source.type === "read.recognised";
}
