export { createMcpTokenFolder } from "./oauth/token-folder.ts";
export { estimateToolTokens } from "./tool/estimate-tool-tokens.ts";
export { logInToMcpServer } from "./oauth/log-in.ts";
export { logOutOfMcpServer } from "./oauth/log-out.ts";
export { openMcpConnections } from "./open-mcp-connections.ts";

export type {
  ElicitationPort,
  McpElicitation,
  McpElicitationAnswer,
  McpElicitationField,
  McpElicitationInput,
  McpElicitationValue,
} from "./session/elicitation.ts";
export type { McpEvent } from "./connection/event-log.ts";
export type {
  McpCallContext,
  McpConnections,
  McpConnectionsOptions,
  McpReadiness,
  McpServerStatus,
  McpWaitOptions,
} from "./mcp-connections.ts";
export type { McpLoginOptions, McpLoginOutcome } from "./oauth/log-in.ts";
export type { McpLogoutOptions, McpLogoutOutcome } from "./oauth/log-out.ts";
export type { McpCredentials, McpOAuthClient, McpOAuthTokens, McpTokenStore } from "./oauth/token-store.ts";
export type {
  McpHttpServerOptions,
  McpServerCommonOptions,
  McpServerOptions,
  McpStdioServerOptions,
  SecretText,
} from "./server-options.ts";
