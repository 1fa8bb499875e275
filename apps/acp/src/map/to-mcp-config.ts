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
  return { config: own.length === 0 ? {} : { mcp_servers: Object.fromEntries(own) }, notices };
}

function toEntry(server: McpServer, place: string): readonly [string, unknown] {
  if (!("type" in server)) {
    const { name, command, args, env } = server;
    return [name, { command, args, ...toTable("env", env) }];
  }
  const { name, url, headers, type } = server;
  if (type === "http") return [name, { url, ...toTable("http_headers", headers) }];
  const why = "servers of this kind are not reached (mcpCapabilities.sse is false): one by http is.";
  throw RequestError.invalidParams({ place: `${place}.type` }, `${place}.type: ${why}`);
}

function toTable(
  key: string,
  pairs: readonly { readonly name: string; readonly value: string }[],
): Readonly<Record<string, unknown>> {
  return pairs.length === 0 ? {} : { [key]: Object.fromEntries(pairs.map(({ name, value }) => [name, value])) };
}
