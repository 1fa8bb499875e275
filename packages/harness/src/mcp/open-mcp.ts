import { join } from "node:path";
import type { ResolvedConfig } from "@unroll/config";
import type { McpPool } from "@unroll/mcp";
import type { Host } from "../host/host.ts";
import type { Executor } from "../host/executor.ts";
import { loadMcp, loadMcpContext } from "./load-mcp.ts";
import { checkCall } from "../options/check-call.ts";

export interface OpenMcpOptions {
  readonly config: ResolvedConfig;
  readonly host: Host;
  /** Absent or null: this one. */
  readonly machine?: Executor | null;
}

/** Starts the config's MCP servers. Null where none is enabled: then nothing is loaded. */
export async function openMcp(options: OpenMcpOptions): Promise<McpPool | null> {
  checkCall("openMcp", options, { "config.mcpServers": "a list", "host.env": "an object" });
  const { config, host, machine = null } = options;
  if (!config.mcpServers.some(({ enabled }) => enabled)) return null;
  const { openMcpPool } = await loadMcp();
  const { createClock } = await import("../host/create-clock.ts");
  const clock = createClock(host);
  const { createMcpVariables, openMcpTokens } = await loadMcpContext();
  return openMcpPool({
    servers: config.mcpServers,
    variables: createMcpVariables(config, host),
    cwd: config.cwd,
    clientInfo: { name: "unroll", version: "1" },
    roots: [config.cwd],
    logDirectory: join(config.codexHome, "log/mcp"),
    tokens: await openMcpTokens(config),
    proxyEnv: host.env,
    newId: host.newId,
    elapsed: host.elapsed,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    connect: machine?.connectMcp,
  });
}
