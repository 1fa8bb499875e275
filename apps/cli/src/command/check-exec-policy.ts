import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { checkCommand, type CommandCheck, formatRulesError, type RulesFile } from "@unroll/exec-policy";
import { showHidden } from "@unroll/text";
import { findPipeFault, type ProcessIo } from "@unroll/program";

export interface ExecPolicyCheck {
  readonly argv: readonly string[];
  readonly rules: readonly string[];
  readonly json?: boolean;
}

/** Prints the judgement. Returns the exit code: 0 allow, 1 prompt or forbidden, 2 a rules file cannot be read. */
export async function checkExecPolicy({ argv, rules, json }: ExecPolicyCheck, io: ProcessIo): Promise<number> {
  const files: RulesFile[] = [];
  for (const file of rules) {
    const text = await readRules(resolve(io.cwd, file));
    if (text === null) {
      io.stderr.stream.write(`unroll: ${file}: there is no such rules file, or it cannot be read.\n`);
      return 2;
    }
    files.push({ file, text });
  }
  const check = checkCommand(files, argv, { cwd: io.cwd, home: io.homeDirectory });
  if (check.type === "check.failed") {
    for (const error of check.errors) io.stderr.stream.write(`${formatRulesError(error)}\n`);
    return 2;
  }
  io.stdout.stream.write(json ? `${JSON.stringify(check)}\n` : renderCheck(check));
  return check.decision === "allow" ? 0 : 1;
}

async function readRules(file: string): Promise<string | null> {
  if ((await findPipeFault(file)) !== null) return null;
  try {
    return await readFile(file, "utf8");
  } catch {
    return null;
  }
}

function renderCheck(check: Extract<CommandCheck, { type: "check.completed" }>): string {
  const rules = check.matchedRules.map(
    ({ prefixRuleMatch: { file, line, matchedPrefix, decision } }) =>
      `  ${file}:${line} ${decision}: ${matchedPrefix.join(" ")}\n`,
  );
  return showHidden(`${check.decision}: ${check.reason}\n${rules.join("")}`);
}
