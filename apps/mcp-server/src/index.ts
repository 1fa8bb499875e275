export { defineMcpServerCommand, runMcpServer } from "./mcp-server-command.ts";

export type { McpServerOptions } from "./serve.ts";
