import { judgeCommand, mergeRules } from "@unroll/exec-policy";
import type { CommandLine } from "@unroll/tools";

const noRules = mergeRules([]);

/** Whether all that a command line runs is known to only read: such calls may run side by side. */
export function isReadOnlyCommand({ argv, shellScript }: CommandLine): boolean {
  const judged = shellScript === undefined ? { argv } : ({ script: shellScript, shell: "bash" } as const);
  return judgeCommand(judged, noRules, { cwd: "/", home: null }).source.type === "read.recognised";
}
