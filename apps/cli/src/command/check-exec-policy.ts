import { checkCommand, type CommandCheck, formatRulesError, type RulesFile } from "@unroll/exec-policy";
import { escapeHidden, showHidden } from "@unroll/text";
import { type ProcessIo, readNamedFile } from "@unroll/program";

export interface ExecPolicyCheck {
  readonly argv: readonly string[];
  readonly rules: readonly string[];
  readonly json?: boolean;
}

/** Prints the judgement. Returns the exit code: 0 allow, 1 prompt or forbidden, 2 an error in the rules. Throws `ProgramError` for a file that cannot be read. */
export async function checkExecPolicy({ argv, rules, json }: ExecPolicyCheck, io: ProcessIo): Promise<number> {
  const files: RulesFile[] = [];
  for (const file of rules) files.push({ file, text: await readNamedFile({ flag: "-r", file }, io.cwd) });
  const check = checkCommand(files, argv, { cwd: io.cwd, home: io.homeDirectory });
  if (check.type === "check.failed") {
    for (const error of check.errors) io.stderr.stream.write(`unroll: ${formatRulesError(error)}\n`);
    return 2;
  }
  io.stdout.stream.write(json ? `${escapeHidden(JSON.stringify(check))}\n` : renderCheck(check));
  return check.decision === "allow" ? 0 : 1;
}

function renderCheck(check: Extract<CommandCheck, { type: "check.completed" }>): string {
  const rules = check.matchedRules.map(
    ({ prefixRuleMatch: { file, line, matchedPrefix, decision } }) =>
      `  ${file}:${line} ${decision}: ${matchedPrefix.join(" ")}\n`,
  );
  return showHidden(`${check.decision}: ${check.reason}\n${rules.join("")}`);
}
