import { defineMcpServerCommand, runMcpServer } from "@unroll/mcp-server";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { version } from "../version.ts";

/** `unroll mcp-server`: the app of that name. */
export function addMcpServerCommand(program: Command, { io, exit }: CommandContext): void {
  defineMcpServerCommand(program.command("mcp-server"), async (flags) =>
    exit(await runMcpServer({ ...flags, version }, io)),
  );
}
