import type { McpServerStatus } from "@unroll/harness";
import type { ThreadHost } from "./open-thread-host.ts";
import type { ServedThread } from "./thread/served-thread.ts";

/** An MCP server of a thread, or of the config. */
export interface ListedServer {
  readonly id: string;
  /** Null: nothing has started it. */
  readonly status: McpServerStatus | null;
}

/** The servers of an open thread, and behind them those of the config that do not run in it; null: the config's alone. */
export async function listServers(
  { loadConfig }: Pick<ThreadHost, "loadConfig">,
  thread: ServedThread | null,
): Promise<readonly ListedServer[]> {
  const running = (thread?.mcpServers() ?? []).map((status) => ({ id: status.id, status }));
  const { mcpServers } = await loadConfig(null);
  const others = mcpServers.filter(({ id }) => running.every((server) => server.id !== id));
  return [...running, ...others.map(({ id }) => ({ id, status: null }))];
}
