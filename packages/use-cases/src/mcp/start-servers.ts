import { type Host, openMcp, type ResolvedConfig } from "@unroll/harness";
import type { McpEvent } from "@unroll/mcp";
import type { McpServerConfig, McpServerStatus } from "@unroll/protocol";

export interface StartedServers {
  readonly servers: readonly McpServerStatus[];
  readonly events: readonly McpEvent[];
}

export interface StartOptions {
  readonly config: ResolvedConfig;
  readonly host: Host;
  /** Aborted, it waits for no further server. */
  readonly signal: AbortSignal;
}

/** Starts servers, reads what they offer, and ends them. None is required here: one that fails does not hide the others. */
export async function startServers(
  chosen: readonly McpServerConfig[],
  { config, host, signal }: StartOptions,
): Promise<StartedServers> {
  const mcpServers = chosen.map((server) => ({ ...server, enabled: true, required: false }));
  await using pool = await openMcp({ config: { ...config, mcpServers }, host });
  const view = pool?.join({ maxSchemaTokens: config.mcpToolSchemaTokens });
  const events: McpEvent[] = [];
  view?.onEvent((event) => events.push(event));
  await view?.whenReady({ graceMs: 0, waitForAll: true, signal });
  return { servers: view?.servers() ?? [], events };
}
