import type { McpApprovalMode, McpServerConfig } from "@unroll/protocol";

/** What the config says of a tool of an MCP server; `auto` where it says nothing. `tool` is the server's own name. */
export function findMcpApprovalMode(
  servers: readonly McpServerConfig[],
  { server, tool }: { readonly server: string; readonly tool: string },
): McpApprovalMode {
  const config = servers.find(({ id }) => id === server);
  if (config === undefined) return "auto";
  return Object.hasOwn(config.toolApprovalModes, tool)
    ? (config.toolApprovalModes[tool] ?? "auto")
    : config.approvalMode;
}
