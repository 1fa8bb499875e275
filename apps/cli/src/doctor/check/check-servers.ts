import { findBuiltInProvider } from "@unroll/config";
import { findLocalServers, type FoundServer } from "@unroll/harness";
import type { McpServerStatus } from "@unroll/protocol";
import { startServers } from "@unroll/use-cases/mcp";
import { type Finding, listExamples, toFinding } from "../finding.ts";
import type { ConfiguredRun } from "./configured-run.ts";
import { countNouns } from "@unroll/text";

/** Looks which servers of models listen on this machine. None of them is used by that. */
export async function checkLocalServers({
  config,
  signal,
}: Pick<ConfiguredRun, "config" | "signal">): Promise<readonly Finding[]> {
  const { localPorts } = config;
  if (localPorts.length === 0) return [toFinding("local", "skipped", "Not searched: local_ports is empty.")];
  const servers = await findLocalServers(localPorts, signal);
  if (servers.length > 0) return servers.map(toServerFinding);
  return [
    toFinding(
      "local",
      "ok",
      `No model server found on this machine (${localPorts.length === 1 ? "port" : "ports"} ${localPorts.join(", ")}).`,
    ),
  ];
}

function toServerFinding(server: FoundServer): Finding {
  const { provider, baseUrl, models } = server;
  const builtIn = provider === null ? null : findBuiltInProvider(provider);
  const name = builtIn?.table.name ?? "A model server";
  const has = models.length === 0 ? "but lists no models" : `with ${listExamples(models)}`;
  const remedy = `To use it: ${toCommand(server, builtIn?.table.base_url ?? "")}`;
  return { ...toFinding("local", "ok", `${name} responds at ${baseUrl} ${has}.`), remedy };
}

function toCommand({ provider, port, baseUrl, models }: FoundServer, usualUrl: string): string {
  const [model = "MODEL"] = models;
  const named = models.length === 1 ? "" : ` -m ${model}`;
  if (provider === null) {
    return `unroll -c model_provider=mine -c model_providers.mine.base_url=${baseUrl} -m ${model}`;
  }
  const place = new URL(usualUrl).port === String(port) ? "" : `CODEX_OSS_PORT=${port} `;
  return `${place}unroll --local-provider ${provider}${named}`;
}

/** How long all servers together may take, in ms, whatever their own time-outs say. */
const patienceMs = 20_000;

/** Starts the servers of the config as a run does, and ends them. */
export async function checkMcp({ config, host, signal }: ConfiguredRun): Promise<readonly Finding[]> {
  const enabled = config.mcpServers.filter((server) => server.enabled);
  if (enabled.length === 0) return [toFinding("mcp", "ok", "No MCP servers are enabled.")];
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const { servers } = await startServers(enabled, { config, host, signal: limit });
  return servers.map(toMcpFinding);
}

function toMcpFinding({ id, state, tools, tokens, failure }: McpServerStatus): Finding {
  const check = `mcp ${id}`;
  if (state === "ready") {
    const cost = `about ${countNouns(tokens, "token")} in every request`;
    return toFinding(check, "ok", `It starts: ${countNouns(tools.length, "tool")}, ${cost}.`);
  }
  const message = failure?.message ?? `It did not start within ${patienceMs / 1000} s.`;
  const remedy = `unroll mcp test ${id} shows more; enabled = false disables it.`;
  return { ...toFinding(check, "failed", message), remedy };
}
