import type { McpServerStatus } from "@unroll/protocol";
import { startServers } from "@unroll/use-cases/mcp";
import { type Finding, toFinding } from "../finding.ts";
import type { ConfiguredRun } from "./doctor-run.ts";

/** How long all servers together may take, in ms, whatever their own time-outs say. */
const patienceMs = 20_000;

/** Starts the servers of the config as a run does, and ends them. */
export async function checkMcp({ config, host, signal }: ConfiguredRun): Promise<readonly Finding[]> {
  const enabled = config.mcpServers.filter((server) => server.enabled);
  if (enabled.length === 0) return [toFinding("mcp", "ok", "No MCP server is enabled.")];
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const { servers } = await startServers(enabled, { config, host, signal: limit });
  return servers.map(toServerFinding);
}

function toServerFinding({ id, state, tools, tokens, failure }: McpServerStatus): Finding {
  const check = `mcp ${id}`;
  if (state === "ready") {
    const cost = `about ${tokens} tokens in every request`;
    return toFinding(check, "ok", `It starts: ${tools.length} ${tools.length === 1 ? "tool" : "tools"}, ${cost}.`);
  }
  const message = failure?.message ?? `It did not start within ${patienceMs / 1000} s.`;
  const remedy = `unroll mcp test ${id} shows more; enabled = false leaves it out.`;
  return { ...toFinding(check, "failed", message), remedy };
}
