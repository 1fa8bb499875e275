export { defineMcpServerCommand } from "./define-mcp-server-command.ts";
export { runMcpServer } from "./run-mcp-server.ts";

export type { McpServerOptions } from "./mcp-server-options.ts";
