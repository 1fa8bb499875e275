import { type ResolvedConfig, toMcpTokenFolder } from "@unroll/config";
import type { McpLoginOutcome, McpLogoutOutcome } from "@unroll/mcp";
import type { HostEnvironment } from "../host/host-environment.ts";
import { loadMcp } from "./load-mcp.ts";
import { createMcpVariables } from "./mcp-variables.ts";

export interface McpLoginRequest {
  readonly config: ResolvedConfig;
  readonly host: HostEnvironment;
  /** The server's id in the config. */
  readonly server: string;
  /** Shows the person the page of the authorization server, or opens it. */
  readonly openPage: (url: string) => Promise<void>;
  /** Tells the person a host that the server names, before it is asked. */
  readonly onHost: (host: string) => void;
  /** Give it a time-out: a person may never come back. */
  readonly signal: AbortSignal;
}

/** Logs in to an MCP server over HTTP; threads find the login. Expected failures are outcomes. */
export async function logInToMcp({ config, host, server: id, ...rest }: McpLoginRequest): Promise<McpLoginOutcome> {
  const server = config.mcpServers.find((each) => each.id === id);
  if (server === undefined) return { type: "failed", message: `There is no MCP server ${id} in the config.` };
  if (server.type === "stdio") {
    return { type: "failed", message: `The MCP server ${id} is a program: there is nothing to log in to.` };
  }
  const { createMcpTokenFolder, logInToMcpServer } = await loadMcp();
  return logInToMcpServer({
    server,
    variables: createMcpVariables(config, host),
    tokens: createMcpTokenFolder(toMcpTokenFolder(config.codexHome)),
    clientName: "unroll",
    createState: host.newId,
    proxyEnv: host.env,
    ...rest,
  });
}

/** Forgets a login, also of a server that is no longer in the config. */
export async function logOutOfMcp({
  config,
  host,
  server,
  signal,
}: Pick<McpLoginRequest, "config" | "host" | "server" | "signal">): Promise<McpLogoutOutcome> {
  const { createMcpTokenFolder, logOutOfMcpServer } = await loadMcp();
  const tokens = createMcpTokenFolder(toMcpTokenFolder(config.codexHome));
  return logOutOfMcpServer({ server, tokens, proxyEnv: host.env, signal });
}
