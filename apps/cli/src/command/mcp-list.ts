import { loadProgramConfig, type ProgramFlags } from "@unroll/program";
import type { McpServerConfig } from "@unroll/protocol";
import { renderTable, type TableColumn } from "@unroll/report";
import type { CommandRun } from "../run-command.ts";
import { requireServer } from "./require-server.ts";

const columns: readonly TableColumn<McpServerConfig>[] = [
  { value: ({ id }) => id },
  { least: "disabled".length, value: toState },
  { value: toTarget },
];

/** The flags of commands that show servers. */
export interface ShowFlags extends Pick<ProgramFlags, "config"> {
  readonly json?: boolean;
}

/** Returns the exit code. */
export async function listMcpServers({ json, ...flags }: ShowFlags, run: CommandRun): Promise<number> {
  const { mcpServers: servers } = await loadProgramConfig(flags, run.host);
  if (json) await run.printJson(servers.map(toWire), 2);
  else if (servers.length === 0) await run.print("No MCP servers are configured. Add one with unroll mcp add.");
  else {
    for (const line of renderTable(servers, { layouts: [columns], width: run.columns }).lines) await run.print(line);
  }
  return 0;
}

/** Returns the exit code. Throws if there is no such server. */
export async function showMcpServer(name: string, { json, ...flags }: ShowFlags, run: CommandRun): Promise<number> {
  const wire = toWire(requireServer(name, await loadProgramConfig(flags, run.host)));
  if (json) await run.printJson(wire, 2);
  else for (const [key, value] of Object.entries(wire)) await run.print(`${key}: ${toText(value)}`);
  return 0;
}

function toState({ enabled, required }: McpServerConfig): string {
  return enabled ? (required ? "required" : "enabled") : "disabled";
}

function toTarget(server: McpServerConfig): string {
  return server.type === "http" ? server.address : [server.command, ...server.args].join(" ");
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
