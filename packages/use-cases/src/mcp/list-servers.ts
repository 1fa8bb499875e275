import { estimateToolTokens } from "@unroll/mcp";
import type { McpServerConfig, McpServerStatus } from "@unroll/protocol";
import type { MeasuredServer } from "@unroll/report";

/** An MCP server of a thread, or of the config. */
export interface ListedServer {
  readonly id: string;
  /** Null: nothing has started it. */
  readonly status: McpServerStatus | null;
}

/** The servers of a thread, then those of the config that do not run in it. */
export function listServers(
  running: readonly McpServerStatus[],
  configured: readonly Pick<McpServerConfig, "id">[],
): readonly ListedServer[] {
  const others = configured.filter(({ id }) => running.every((server) => server.id !== id));
  return [...running.map((status) => ({ id: status.id, status })), ...others.map(({ id }) => ({ id, status: null }))];
}

/** A server with what each of its tools costs in every request. */
export function measureServer(server: McpServerStatus): MeasuredServer {
  return { ...server, tools: server.tools.map((tool) => ({ ...tool, tokens: estimateToolTokens(tool) })) };
}
