import { join } from "node:path";

/** Where the logins of MCP servers are kept; no command may read it. */
export function toMcpTokenFolder(codexHome: string): string {
  return join(codexHome, "mcp-tokens");
}
