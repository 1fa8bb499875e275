import { type McpServer, RequestError } from "@agentclientprotocol/sdk";

/** The MCP servers of a client, as the config has them. */
interface ClientServers {
  /** `mcp_servers` of the config. */
  readonly config: Readonly<Record<string, unknown>>;
  /** To be told to a person. */
  readonly notices: readonly string[];
}

/** `taken`: those of the config itself, which stay. Throws `RequestError` for one that cannot be reached. */
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
  const { name, url, headers, type } = server;
  if (type === "http") return [name, { url, http_headers: toTable(headers) }];
  const why = "servers of this kind are not reached (mcpCapabilities.sse is false): one by http is.";
  throw RequestError.invalidParams({ place: `${place}.type` }, `${place}.type: ${why}`);
}

function toTable(
  pairs: readonly { readonly name: string; readonly value: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
