import type { McpServerConfig } from "@unroll/protocol";
import type { ProcessIo, ProgramFlags } from "@unroll/program";
import { escapeHidden, showHidden } from "@unroll/text";
import { findServer } from "@unroll/use-cases/mcp";
import { toMissingServerError } from "./missing-server-error.ts";
import { runConfigCommand } from "../run-config-command.ts";

interface ListOptions extends Pick<ProgramFlags, "config"> {
  readonly json?: boolean;
}

/** Returns the exit code: 0, or 2 for a config that cannot be used. */
export function listMcpServers({ json, ...flags }: ListOptions, io: ProcessIo): Promise<number> {
  return runConfigCommand(flags, io, async ({ config: { mcpServers: servers }, print }) => {
    if (json) print(toJson(servers.map(toWire)));
    else if (servers.length === 0) print("No MCP server is configured. unroll mcp add adds one.");
    else {
      const width = Math.max(...servers.map(({ id }) => id.length));
      for (const server of servers)
        print(showHidden(`${server.id.padEnd(width)}  ${toState(server)}  ${toTarget(server)}`));
    }
    return 0;
  });
}

/** Returns the exit code: 2 where there is no such server. */
export function showMcpServer(
  { name, json, ...flags }: ListOptions & { readonly name: string },
  io: ProcessIo,
): Promise<number> {
  return runConfigCommand(flags, io, async ({ config, print }) => {
    const server = findServer(name, config);
    if (server.type === "missing") throw toMissingServerError(server);
    const wire = toWire(server);
    if (json) print(toJson(wire));
    else for (const [key, value] of Object.entries(wire)) print(showHidden(`${key}: ${toText(value)}`));
    return 0;
  });
}

function toState({ enabled, required }: McpServerConfig): string {
  return enabled ? (required ? "required" : "enabled ") : "disabled";
}

function toTarget(server: McpServerConfig): string {
  return server.type === "http" ? server.address : [server.command, ...server.args].join(" ");
}

function toJson(value: unknown): string {
  return escapeHidden(JSON.stringify(value, null, 2));
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** With the keys of config.toml. Values of variables and headers print as `[secret]`, addresses without their query. */
function toWire(server: McpServerConfig): Readonly<Record<string, unknown>> {
  const { id: name, enabled, required, enabledTools, disabledTools } = server;
  const common = {
    enabled,
    required,
    startup_timeout_sec: server.startupTimeoutMs / 1000,
    tool_timeout_sec: server.toolTimeoutMs / 1000,
    enabled_tools: enabledTools,
    disabled_tools: disabledTools,
    default_tools_approval_mode: server.approvalMode,
    tools: Object.fromEntries(
      Object.entries(server.toolApprovalModes).map(([tool, mode]) => [tool, { approval_mode: mode }]),
    ),
  };
  if (server.type === "stdio") {
    const { command, args, env, envVars, cwd } = server;
    return { name, command, args, env, env_vars: envVars, cwd, ...common };
  }
  const { address, bearerTokenEnvVar, httpHeaders, envHttpHeaders, oauth } = server;
  return {
    name,
    url: address,
    bearer_token_env_var: bearerTokenEnvVar,
    http_headers: httpHeaders,
    env_http_headers: envHttpHeaders,
    oauth: oauth && {
      client_id: oauth.clientId,
      client_secret_env_var: oauth.clientSecretEnvVar,
      client_metadata_url: oauth.clientMetadataUrl,
      scopes: oauth.scopes,
    },
    ...common,
  };
}
