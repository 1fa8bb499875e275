import { join } from "node:path";
import { type ResolvedConfig, toMcpTokenFolder } from "@unroll/config";
import type { McpPool } from "@unroll/mcp";
import type { HostEnvironment } from "../host/host-environment.ts";
import { loadMcp } from "./load-mcp.ts";
import { createMcpVariables } from "./mcp-variables.ts";

export interface OpenMcpOptions {
  readonly config: ResolvedConfig;
  readonly host: HostEnvironment;
}

/** Starts the config's MCP servers. Null where none is enabled: then nothing is loaded. */
export async function openMcp({ config, host }: OpenMcpOptions): Promise<McpPool | null> {
  if (!config.mcpServers.some(({ enabled }) => enabled)) return null;
  const { createMcpTokenFolder, openMcpPool } = await loadMcp();
  return openMcpPool({
    servers: config.mcpServers,
    variables: createMcpVariables(config, host),
    cwd: config.cwd,
    clientInfo: { name: "unroll", version: "1" },
    roots: [config.cwd],
    logDirectory: join(config.codexHome, "log/mcp"),
    tokens: createMcpTokenFolder(toMcpTokenFolder(config.codexHome)),
    proxyEnv: host.env,
    newId: host.newId,
    elapsed: host.elapsed,
  });
}
