import { checkShape } from "@unroll/text";
import * as z from "zod";
import { commandFields, loginField, scriptText } from "../command/command-fields.ts";
import { concurrencyOf } from "../command/plan-command-call.ts";
import { type CommandToolOptions, planWholeCommand } from "../command/run-command.ts";
import type { CommandLine } from "../port/call-gate.ts";
import type { UserShell } from "../port/command-runner.ts";
import { keepSchemas } from "../schema/keep-schemas.ts";
import { definePlannedTool } from "../tool/define-planned-tool.ts";
import type { CallableTool } from "../tool/tool.ts";

const toInput = keepSchemas((allowsLogin: boolean) =>
  keepSchemas((timeoutMs: number | undefined) =>
    z.strictObject({
      command: scriptText.describe("The script."),
      login: loginField(allowsLogin),
      ...commandFields(timeoutMs),
    }),
  ),
);

/** A script in the user's shell. */
export function createShellCommandTool(options: CommandToolOptions & { readonly shell: UserShell }): CallableTool {
  checkShape("createShellCommandTool", options, {
    "shell.toArgv": "a function",
    "runner.run": "a function",
    cwd: "text",
  });
  const { shell } = options;
  const toLine = ({ command, login }: { command: string; login: boolean }): CommandLine => ({
    argv: shell.toArgv(command, { login }),
    shellScript: command,
  });
  return definePlannedTool({
    name: "shell_command",
    description: `Runs a script in ${shell.name} and returns its exit code and its output, stdout and stderr together. The script cannot be sent input while it runs: use options that keep programs from asking. Long output loses its middle, so narrow it down in the script.`,
    input: toInput(shell.allowsLogin)(options.defaultTimeoutMs),
    concurrency: (input) => concurrencyOf(toLine(input), options.isReadOnlyCommand),
    plan: (input, context) => planWholeCommand(options, { line: toLine(input), input }, context),
  });
}
