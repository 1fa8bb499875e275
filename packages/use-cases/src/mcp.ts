import { type Host, logInToMcp, logOutOfMcp, openMcp, type ResolvedConfig } from "@unroll/harness";
import { estimateToolTokens, type McpEvent } from "@unroll/mcp";
import type { McpServerConfig, McpServerStatus } from "@unroll/protocol";
import type { MeasuredServer, MissingServer } from "@unroll/report";

/** How long the user may take on the pages of an authorization server, in ms. */
const patienceMs = 10 * 60 * 1000;
/** How long a server may take to revoke a login, in ms. */
const revocationMs = 10_000;

/** The configured server of this name. */
export function findServer(
  name: string,
  { mcpServers }: Pick<ResolvedConfig, "mcpServers">,
): McpServerConfig | MissingServer {
  const known = mcpServers.map(({ id }) => id);
  return mcpServers.find(({ id }) => id === name) ?? { type: "missing", name, known };
}

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

interface StartedServers {
  readonly servers: readonly McpServerStatus[];
  readonly events: readonly McpEvent[];
}

interface StartOptions {
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

/** A server, by its name in the config. */
interface ServerPlace {
  readonly config: ResolvedConfig;
  readonly host: Host;
  readonly server: string;
  readonly signal: AbortSignal;
}

/** The display of a login. */
interface ServerLogin {
  readonly openPage: (url: string) => Promise<void>;
  /** A host that the server names is asked next. Absent: the host is not reported. */
  readonly onHost?: (host: string) => void;
}

/** Logs the user in to a configured server over HTTP. Expected failures are values. */
export function logInToServer(
  { signal, ...place }: ServerPlace,
  { openPage, onHost = () => {} }: ServerLogin,
): ReturnType<typeof logInToMcp> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  return logInToMcp({ ...place, openPage, onHost, signal: until });
}

/** Forgets the login of a server, also of one that left the config, and asks its server to revoke it. */
export function logOutOfServer({ signal, ...place }: ServerPlace): ReturnType<typeof logOutOfMcp> {
  return logOutOfMcp({ ...place, signal: AbortSignal.any([signal, AbortSignal.timeout(revocationMs)]) });
}
