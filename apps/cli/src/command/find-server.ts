import { ConfigError, type ResolvedConfig } from "@unroll/config";
import type { McpServerConfig } from "@unroll/protocol";

/** Throws `ConfigError`, which ends the subcommand with exit code 2, where there is none of that name. */
export function findServer(name: string, { mcpServers }: ResolvedConfig): McpServerConfig {
  const server = mcpServers.find(({ id }) => id === name);
  if (server !== undefined) return server;
  const names = mcpServers.map(({ id }) => id).join(", ");
  const known = names === "" ? "None is configured." : `The servers are: ${names}.`;
  throw new ConfigError({ code: "mcp_server_invalid", message: `There is no MCP server ${name}. ${known}` });
}
