import * as z from "zod";
import { commandFields, type CommandToolOptions, concurrencyOf, runCommandTool } from "../command/command-tool.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { CallableTool } from "../tool/tool.ts";

/** One program with its arguments, no shell in between. */
export function createShellTool(options: CommandToolOptions): CallableTool {
  return defineTool({
    name: "shell",
    description:
      'Runs a program and returns its exit code and its output, stdout and stderr together. No shell reads the arguments; for pipes, variables or wildcards make the shell the program: ["bash", "-lc", "SCRIPT"]. The program cannot be sent input while it runs: use options that keep it from asking. Long output loses its middle, so narrow it down in the command.',
    input: z.strictObject({
      command: z.array(z.string()).min(1).describe("The program, then its arguments, one a string."),
      ...commandFields(options),
    }),
    concurrency: ({ command }) => concurrencyOf(options, { argv: command }),
    run: (input, context) => runCommandTool(options, { line: { argv: input.command }, input }, context),
  });
}
