import { toLines } from "../../text/to-lines.ts";
import type { TerminalCommand } from "../terminal-command.ts";

export const mcpCommand: TerminalCommand = {
  name: "mcp",
  description: "list MCP servers and the tokens of their tools",
  argument: null,
  timing: "always",
  isHarmless: true,
  async run({ thread, lines, tell }) {
    const servers = thread.mcpServers();
    if (servers.length === 0) return tell("No MCP server is configured. `unroll mcp add` adds one.");
    const { renderMcpServer } = await import("@unroll/report");
    const { measureServer } = await import("@unroll/use-cases/mcp");
    const measured = servers.map(measureServer);
    lines((columns) => toLines(measured.map((server) => renderMcpServer(server, columns)).join("\n\n")));
  },
};
