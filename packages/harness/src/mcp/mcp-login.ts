import type { ResolvedConfig } from "@unroll/config";
import type { McpLoginOutcome, McpLogoutOutcome } from "@unroll/mcp";
import type { Host } from "../host/host.ts";
import { loadMcp, loadMcpContext } from "./load-mcp.ts";
import { checkCall } from "../options/check-call.ts";

export interface McpLoginRequest {
  readonly config: ResolvedConfig;
  readonly host: Host;
  /** The server's id in the config. */
  readonly server: string;
  /** Shows the person the page of the authorization server, or opens it. */
  readonly openPage: (url: string) => Promise<void>;
  /** Tells the person a host that the server names, before it is asked. */
  readonly onHost: (host: string) => void;
  /** Give it a time-out: a person may never come back. */
  readonly signal: AbortSignal;
}

const shape = { "config.mcpServers": "a list", "host.env": "an object", server: "text", signal: "an object" } as const;

/** Logs in to an MCP server over HTTP; threads find the login. Expected failures are outcomes. */
export async function logInToMcp(request: McpLoginRequest): Promise<McpLoginOutcome> {
  checkCall("logInToMcp", request, { ...shape, openPage: "a function", onHost: "a function" });
  const { config, host, server: id, ...rest } = request;
  const server = config.mcpServers.find((each) => each.id === id);
  if (server === undefined) return { type: "failed", message: `There is no MCP server ${id} in the config.` };
  if (server.type === "stdio") {
    return { type: "failed", message: `The MCP server ${id} is a program: there is nothing to log in to.` };
  }
  const { logInToMcpServer } = await loadMcp();
  const { createMcpVariables, openMcpTokens } = await loadMcpContext();
  return logInToMcpServer({
    server,
    variables: createMcpVariables(config, host),
    tokens: await openMcpTokens(config),
    clientName: "unroll",
    createState: host.newId,
    proxyEnv: host.env,
    ...rest,
  });
}

/** Forgets a login, also of a server that is no longer in the config. */
export async function logOutOfMcp(
  request: Pick<McpLoginRequest, "config" | "host" | "server" | "signal">,
): Promise<McpLogoutOutcome> {
  checkCall("logOutOfMcp", request, shape);
  const { config, host, server, signal } = request;
  const { logOutOfMcpServer } = await loadMcp();
  const { openMcpTokens } = await loadMcpContext();
  return logOutOfMcpServer({ server, tokens: await openMcpTokens(config), proxyEnv: host.env, signal });
}
