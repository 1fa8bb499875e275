import { addThreadFlags, collectValues } from "@unroll/program";
import { type Command, Option } from "commander";
import type { ExecOptions } from "./exec-options.ts";

/** Gives a command the arguments and flags of `unroll exec`; `run` gets them read and checked. */
export function defineExecCommand(command: Command, run: (options: ExecOptions) => Promise<void>): Command {
  return addThreadFlags(command)
    .description("Run one task without a person at hand, and end: for scripts, CI and programs.")
    .argument("[prompt]", "what to do; - or none reads it from stdin, with both stdin follows as a <stdin> block")
    .option("--json", "one event a line on stdout (docs/events.md)")
    .addOption(new Option("--experimental-json", "old name of --json").hideHelp())
    .option("--add-dir <dir>", "commands may write here too (repeatable)", collectValues)
    .option("-i, --image <file>", "send this image with the prompt (repeatable)", collectValues)
    .option("-o, --output-last-message <file>", "write the final message to this file")
    .option("--output-schema <file>", "the answer must be JSON of the JSON Schema in this file")
    .option("--wait-mcp", "wait for all MCP servers before the first request, not only mcp_startup_grace_ms")
    .option("--skip-git-repo-check", "do not warn outside of a git repository")
    .addOption(new Option("--full-auto", "same as --sandbox workspace-write").conflicts("sandbox"))
    .addOption(
      new Option(
        "--dangerously-bypass-approvals-and-sandbox",
        "same as --sandbox danger-full-access, and nothing asks",
      ).conflicts(["sandbox", "fullAuto"]),
    )
    .allowExcessArguments(false)
    .action(async (prompt: string | undefined, flags: ExecOptions & { readonly experimentalJson?: boolean }) => {
      const { experimentalJson, ...options } = flags;
      await run({
        ...options,
        ...(experimentalJson ? { json: true } : {}),
        ...(prompt === undefined ? {} : { prompt }),
      });
    });
}
