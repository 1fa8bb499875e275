export { logInToMcpServer } from "./oauth/log-in.ts";
export { logOutOfMcpServer } from "./oauth/log-out.ts";
export { createMcpTokenStore } from "./oauth/secret-token-store.ts";
export { ServerFault } from "./fault/server-fault.ts";
export { openMcpPool } from "./pool/open-mcp-pool.ts";
export { estimateToolTokens } from "./tool/estimate-tool-tokens.ts";

export type { ElicitationPort, McpElicitation } from "./client/elicitation.ts";
export type { McpConnect } from "./client/mcp-connect.ts";
export type { McpLoginOptions, McpLoginOutcome } from "./oauth/login-options.ts";
export type { McpLogoutOutcome } from "./oauth/log-out.ts";
export type { McpPool, McpPoolOptions } from "./pool/mcp-pool.ts";
export type { McpEvent } from "./server/mcp-event.ts";
export type { McpGraces } from "./server/server-context.ts";
export type { McpVariables } from "./settings/mcp-variables.ts";
export type { McpJoinOptions, McpView } from "./view/mcp-view.ts";
export type { McpWaitOptions } from "./view/wait-for-servers.ts";
