import type { McpEvent } from "@unroll/mcp";
import { loadProgramConfig } from "@unroll/program";
import { type MeasuredServer, renderMcpServer } from "@unroll/report";
import { measureServer, startServers } from "@unroll/use-cases/mcp";
import type { CommandRun } from "../run-command.ts";
import type { ShowFlags } from "./mcp-list.ts";
import { requireServer } from "./require-server.ts";

/** `names`: empty: all servers that are enabled. Returns the exit code: 0 all are up, 1 one is not. Throws if there is no such server. */
export async function testMcpServers(
  names: readonly string[],
  { json, ...flags }: ShowFlags,
  { host, signal, columns, print, printFolded, printJson }: CommandRun,
): Promise<number> {
  const config = await loadProgramConfig(flags, host);
  const named = [...new Set(names)].map((name) => requireServer(name, config));
  const chosen = names.length === 0 ? config.mcpServers.filter(({ enabled }) => enabled) : named;
  const { servers: started, events } = await startServers(chosen, { config, host, signal });
  const servers = started.map(measureServer);
  if (json) await printJson(servers.map(toWire), 2);
  else if (servers.length === 0) await print("No MCP servers are enabled.");
  else await printFolded(renderServers(servers, { events, width: columns }));
  return servers.every(({ state }) => state === "ready") ? 0 : 1;
}

interface Shown {
  readonly events: readonly McpEvent[];
  readonly width: number | null;
}

function renderServers(servers: readonly MeasuredServer[], { events, width }: Shown): string {
  return servers
    .map((server) => [renderMcpServer(server, width), ...renderNotes(server, events)].join("\n"))
    .join("\n\n");
}

function renderNotes({ id }: MeasuredServer, events: readonly McpEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.server !== id) return [];
    if (event.type === "mcp.tool_adapted") {
      return [`  note: ${event.tool} is ${event.name === null ? "left out" : `called ${event.name}`}: ${event.reason}`];
    }
    const { state } = event;
    if (state.type !== "left_out") return [];
    return [`  note: its tools exceed mcp_tool_schema_tokens (${state.max_tokens}), so the model finds them by search`];
  });
}

function toWire({ id, state, tools, tokens, failure }: MeasuredServer): unknown {
  return {
    name: id,
    state,
    tokens,
    tools: tools.map(({ tool: name, tokens: cost, description }) => ({ name, tokens: cost, description })),
    error: failure === null ? null : { code: failure.code, message: failure.message },
  };
}
