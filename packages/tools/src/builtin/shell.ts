import { checkShape } from "@unroll/text";
import * as z from "zod";
import { commandFields } from "../command/command-fields.ts";
import { concurrencyOf } from "../command/plan-command-call.ts";
import { type CommandToolOptions, planWholeCommand } from "../command/run-command.ts";
import { keepSchemas } from "../schema/keep-schemas.ts";
import { definePlannedTool } from "../tool/define-planned-tool.ts";
import type { CallableTool } from "../tool/tool.ts";

const toInput = keepSchemas((timeoutMs: number | undefined) =>
  z.strictObject({
    command: z.array(z.string()).min(1).describe("The program, then its arguments, one a string."),
    ...commandFields(timeoutMs),
  }),
);

/** One program with its arguments, no shell in between. */
export function createShellTool(options: CommandToolOptions): CallableTool {
  checkShape("createShellTool", options, { "runner.run": "a function", cwd: "text" });
  return definePlannedTool({
    name: "shell",
    description:
      'Runs a program and returns its exit code and its output, stdout and stderr together. No shell reads the arguments; for pipes, variables or wildcards make the shell the program: ["bash", "-lc", "SCRIPT"]. The program cannot be sent input while it runs: use options that keep it from asking. Long output loses its middle, so narrow it down in the command.',
    input: toInput(options.defaultTimeoutMs),
    concurrency: ({ command }) => concurrencyOf({ argv: command }, options.isReadOnlyCommand),
    plan: (input, context) => planWholeCommand(options, { line: { argv: input.command }, input }, context),
  });
}
