import { join } from "node:path";
import { type ResolvedConfig, toMcpTokenFolder } from "@unroll/config";
import type { ElicitationPort, McpConnections } from "@unroll/mcp";
import type { HostEnvironment } from "../host/host-environment.ts";
import { toServerOptions } from "./to-server-options.ts";

export interface OpenMcpOptions {
  readonly config: ResolvedConfig;
  readonly host: HostEnvironment;
  /** Absent: what servers ask of the person is declined. */
  readonly elicit?: ElicitationPort;
}

/** Starts the config's MCP servers. Null where none is enabled: then nothing is loaded. */
export async function openMcp({ config, host, elicit }: OpenMcpOptions): Promise<McpConnections | null> {
  if (!config.mcpServers.some(({ enabled }) => enabled)) return null;
  const { createMcpTokenFolder, openMcpConnections } = await import("@unroll/mcp");
  return openMcpConnections({
    servers: config.mcpServers.map((server) => toServerOptions(server, config, host)),
    clientInfo: { name: "unroll", version: "1" },
    roots: [config.cwd],
    logDirectory: join(config.codexHome, "log/mcp"),
    tokens: createMcpTokenFolder(toMcpTokenFolder(config.codexHome)),
    ...(elicit && { elicit }),
    maxSchemaTokens: config.mcpToolSchemaTokens,
    newId: host.newId,
    now: host.elapsed,
  });
}
