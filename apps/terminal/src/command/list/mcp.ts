import { showHidden } from "@unroll/text";
import { toLines } from "../../text/to-lines.ts";
import type { TerminalCommand } from "../terminal-command.ts";

export const mcpCommand: TerminalCommand = {
  name: "mcp",
  description: "list MCP servers and the tokens of their tools",
  argument: "[SERVER]",
  choices: ({ thread }) => thread.mcpServers().map(({ id, state }) => ({ value: id, description: state })),
  timing: "always",
  isHarmless: true,
  async run({ thread, lines, tell }, named) {
    const all = thread.mcpServers();
    if (all.length === 0) return tell("No MCP server is configured. `unroll mcp add` adds one.");
    const servers = all.filter(({ id }) => named === "" || id === named);
    if (servers.length === 0)
      return tell(showHidden(`No MCP server is named ${named}. Configured: ${all.map(({ id }) => id).join(", ")}.`));
    const { renderMcpServer } = await import("@unroll/report");
    const { measureServer } = await import("@unroll/use-cases/mcp");
    const measured = servers.map(measureServer);
    lines((columns) => toLines(measured.map((server) => renderMcpServer(server, columns)).join("\n\n")));
  },
};
