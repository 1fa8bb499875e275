import type { ResolvedConfig } from "@unroll/harness";
import type { McpServerConfig } from "@unroll/protocol";
import type { MissingServer } from "@unroll/report";

type Servers = Pick<ResolvedConfig, "mcpServers">;

/** The configured servers of these names, each once; the first name without a server ends it. */
export function findServers(names: readonly string[], config: Servers): readonly McpServerConfig[] | MissingServer {
  const found = [...new Set(names)].map((name) => findServer(name, config));
  const missing = found.find((each) => each.type === "missing");
  return missing ?? found.flatMap((each) => (each.type === "missing" ? [] : [each]));
}

/** The configured server of this name. */
export function findServer(name: string, { mcpServers }: Servers): McpServerConfig | MissingServer {
  const known = mcpServers.map(({ id }) => id);
  return mcpServers.find(({ id }) => id === name) ?? { type: "missing", name, known };
}
