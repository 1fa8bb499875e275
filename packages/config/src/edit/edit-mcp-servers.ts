import type { McpServerTable } from "../schema/config-table.ts";

/**
 * Adds `[mcp_servers.ID]` to a config file behind the others, and changes nothing else in it: comments, order and line
 * ends stay. A file that is not there is made. Throws `ConfigError`: `mcp_server_invalid` for a server that is there
 * already or cannot be used, `value_invalid` for a wrong value, `edit_impossible` where only a person can change the file,
 * and those of a file that cannot be read. Nothing is written then.
 */
export async function addMcpServer(file: string, id: string, server: McpServerTable): Promise<void> {
  const { runAddMcpServer } = await import("./run-mcp-server-edits.ts");
  return runAddMcpServer(file, id, server);
}

/** Takes all of `mcp_servers.ID` out of a config file, and nothing else. Returns whether it was there. Throws as `addMcpServer`. */
export async function removeMcpServer(file: string, id: string): Promise<boolean> {
  const { runRemoveMcpServer } = await import("./run-mcp-server-edits.ts");
  return runRemoveMcpServer(file, id);
}
