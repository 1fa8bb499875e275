import { type McpServer, RequestError } from "@agentclientprotocol/sdk/unstable";

/** The MCP servers of a client as config. */
interface ClientServers {
  /** `mcp_servers` of the config. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Messages for the user. */
  readonly notices: readonly string[];
}

/** `taken`: the names of the config's own servers, which win. Throws `RequestError` for a transport that is not supported. */
export function toMcpConfig(servers: readonly McpServer[], taken: ReadonlySet<string>): ClientServers {
  const notices = servers.flatMap(({ name }) =>
    taken.has(name) ? [`The editor's MCP server ${name} is left out: the config has one of that name.`] : [],
  );
  const own = servers.flatMap((server, index) =>
    taken.has(server.name) ? [] : [toEntry(server, `mcpServers[${index}]`)],
  );
  return { config: { mcp_servers: Object.fromEntries(own) }, notices };
}

function toEntry(server: McpServer, place: string): readonly [string, unknown] {
  if (!("type" in server)) {
    const { name, command, args, env } = server;
    return [name, { command, args, env: toTable(env) }];
  }
  if (server.type === "http") return [server.name, { url: server.url, http_headers: toTable(server.headers) }];
  const why = `${server.type} is not supported (see mcpCapabilities): use http or stdio.`;
  throw RequestError.invalidParams({ place: `${place}.type` }, `${place}.type: ${why}`);
}

function toTable(
  pairs: readonly { readonly name: string; readonly value: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
