import { join } from "node:path";
import type { ResolvedConfig } from "@unroll/config";
import type { McpLoginOutcome, McpLogoutOutcome, McpPool } from "@unroll/mcp";
import { createLearnedSecrets, type LearnedSecrets } from "../auth/learned-secrets.ts";
import { createClock } from "../host/create-clock.ts";
import type { Host } from "../host/host.ts";
import type { Executor } from "../host/executor.ts";
import { checkCall } from "../check-options.ts";
import { HarnessError } from "../harness-error.ts";

interface OpenMcpOptions {
  readonly config: ResolvedConfig;
  readonly host: Host;
  /** Absent or null: this machine. */
  readonly executor?: Executor | null;
  /** Absent: nothing is learned while the servers run. */
  readonly learned?: LearnedSecrets;
}

/**
 * Starts the config's MCP servers. Null: none is enabled, and nothing is loaded. Throws
 * `HarnessError` `missing_package`.
 */
export async function openMcp(options: OpenMcpOptions): Promise<McpPool | null> {
  checkCall("openMcp", options, { "config.mcpServers": "a list", "host.env": "an object" });
  const { config, host, executor = null, learned = createLearnedSecrets() } = options;
  if (!config.mcpServers.some(({ enabled }) => enabled)) return null;
  const clock = createClock(host);
  const { openSecretMask } = await import("../auth/open-secret-mask.ts"); // importing this file does not load it
  const secrets = openSecretMask(config, { config, host, learned });
  const { openMcpPool } = await loadMcp();
  const { createMcpVariables, openMcpTokens } = await import("./mcp-context.ts");
  return openMcpPool({
    servers: config.mcpServers,
    variables: createMcpVariables(config, host),
    cwd: config.cwd,
    clientInfo: { name: "unroll", version: "1" },
    roots: [config.cwd],
    logDirectory: join(config.codexHome, "log/mcp"),
    ...(secrets && { mask: secrets.mask }),
    tokens: await openMcpTokens(config),
    proxyEnv: host.env,
    newId: host.newId,
    elapsed: host.elapsed,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    connect: executor?.connectMcp,
  });
}

/**
 * Loads `@unroll/mcp`, an optional package because its library brings ninety others. Throws
 * `HarnessError` `missing_package` if it is not installed.
 */
async function loadMcp(): Promise<typeof import("@unroll/mcp")> {
  try {
    return await import("@unroll/mcp");
  } catch (error) {
    const { systemErrorCode } = await import("@unroll/text");
    if (systemErrorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    const message = "MCP servers need the package @unroll/mcp, which is not installed: npm install @unroll/mcp.";
    throw new HarnessError("missing_package", message, { cause: error });
  }
}

interface McpLoginRequest {
  readonly config: ResolvedConfig;
  readonly host: Host;
  /** The server's id in the config. */
  readonly server: string;
  /** Shows the user the authorization server's page, or opens it. */
  readonly openPage: (url: string) => Promise<void>;
  /** Shows the user a host that the server names, before it is contacted. */
  readonly onHost: (host: string) => void;
  /** Give it a timeout: the user may never come back. */
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
  const { createMcpVariables, openMcpTokens } = await import("./mcp-context.ts");
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

/** Removes a login, also of a server that is no longer in the config. */
export async function logOutOfMcp(
  request: Pick<McpLoginRequest, "config" | "host" | "server" | "signal">,
): Promise<McpLogoutOutcome> {
  checkCall("logOutOfMcp", request, shape);
  const { config, host, server, signal } = request;
  const { logOutOfMcpServer } = await loadMcp();
  const { openMcpTokens } = await import("./mcp-context.ts");
  return logOutOfMcpServer({ server, tokens: await openMcpTokens(config), proxyEnv: host.env, signal });
}
