export { resolveCodexHome } from "./codex-home.ts";
export { ConfigError } from "./fault/config-error.ts";
export { addMcpServer, removeMcpServer } from "./edit/edit-mcp-servers.ts";
export { loadConfig } from "./load-config.ts";
export { resolveCredential } from "./providers/resolve-credential.ts";
export { resolveRequestParts } from "./providers/resolve-request-parts.ts";
export { toMcpTokenFolder } from "./resolve/mcp-token-folder.ts";
export { listSecretValues } from "./resolve/collect-secrets.ts";

export type { ConfigErrorCode } from "./fault/config-error.ts";
export type { ConfigOverride, ConfigSources, Environment } from "./config-sources.ts";
export type { ConfigWarning } from "./fault/config-warning.ts";
export type { Origin } from "./fault/origin.ts";
export type { ProviderConfig } from "./providers/provider-config.ts";
export type { ProviderCredential } from "./providers/resolve-credential.ts";
export type { RequestParts } from "./providers/resolve-request-parts.ts";
export type { Secret } from "./secret.ts";
export type { McpServerTable } from "./schema/config-table.ts";
export type { ResolvedConfig } from "./resolved-config.ts";
