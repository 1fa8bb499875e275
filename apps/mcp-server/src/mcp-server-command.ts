import {
  addConfigFlags,
  addStoreFlag,
  collectValues,
  type ProcessIo,
  type ProgramFlags,
  takeText,
} from "@unroll/program";
import type { Command } from "commander";
import type { McpServerOptions } from "./serve.ts";

/** Gives a command the flags of `unroll mcp-server`. */
export function defineMcpServerCommand(command: Command, run: (flags: ProgramFlags) => Promise<void>): Command {
  return addStoreFlag(addConfigFlags(command))
    .description("serve the agent as tools of an MCP server, on stdio (docs/mcp-server.md)")
    .option("-m, --model <name>", "the model of threads that name none", takeText)
    .option("-p, --profile <name>", "a [profiles.<name>] of config.toml, or <name>.config.toml beside it", takeText)
    .option("--enable <feature>", "same as -c features.<feature>=true (repeatable)", collectValues)
    .option("--disable <feature>", "same as -c features.<feature>=false (repeatable)", collectValues)
    .allowExcessArguments(false)
    .action((flags: ProgramFlags) => run(flags));
}

/**
 * Serves one client on stdin and stdout until its input ends, or a signal comes. Returns the exit code: 0 the input ended, 1 stdout
 * broke, 128 + N stopped by signal N. All of it is loaded only now.
 */
export async function runMcpServer(options: McpServerOptions, io: ProcessIo): Promise<number> {
  const { serve } = await import("./serve.ts");
  return serve(options, io);
}
