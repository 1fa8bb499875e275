import { ConfigError, type ResolvedConfig } from "@unroll/config";
import type { McpServerConfig } from "@unroll/protocol";
import { explainMissingServer } from "@unroll/report";
import { findServer } from "@unroll/use-cases/mcp";

/** The configured server of this name. Throws `ConfigError` if there is none. */
export function requireServer(name: string, config: ResolvedConfig): McpServerConfig {
  const found = findServer(name, config);
  if (found.type !== "missing") return found;
  throw new ConfigError({ code: "mcp_server_invalid", message: explainMissingServer(found) });
}
