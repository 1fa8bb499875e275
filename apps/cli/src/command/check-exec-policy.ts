import { checkCommand, type CommandCheck, formatRulesError, type RulesFile } from "@unroll/exec-policy";
import { readNamedFile } from "@unroll/program";
import type { CommandRun } from "../run-command.ts";

/** The flags of `unroll execpolicy check`. */
export interface CheckFlags {
  readonly rules: readonly string[];
  readonly json?: boolean;
}

/** Prints the judgement. Returns the exit code: 0 allow, 1 prompt or forbidden, 2 an error in the rules. Throws `ProgramError` for a file that cannot be read. */
export async function checkExecPolicy(
  argv: readonly string[],
  { rules, json }: CheckFlags,
  { io, print, printJson, complain }: CommandRun,
): Promise<number> {
  const files: RulesFile[] = [];
  for (const file of rules) files.push({ file, text: await readNamedFile({ flag: "-r", file }, io.cwd) });
  const check = checkCommand(files, argv, { cwd: io.cwd, home: io.homeDirectory });
  if (check.type === "check.failed") {
    for (const error of check.errors) complain(formatRulesError(error));
    return 2;
  }
  await (json ? printJson(check) : print(renderCheck(check)));
  return check.decision === "allow" ? 0 : 1;
}

function renderCheck(check: Extract<CommandCheck, { type: "check.completed" }>): string {
  const rules = check.matchedRules.map(
    ({ prefixRuleMatch: { file, line, matchedPrefix, decision } }) =>
      `  ${file}:${line} ${decision}: ${matchedPrefix.join(" ")}`,
  );
  return [`${check.decision}: ${check.reason}`, ...rules].join("\n");
}
