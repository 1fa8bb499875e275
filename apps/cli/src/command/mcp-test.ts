import type { ProcessIo, ProgramFlags } from "@unroll/program";
import type { McpEvent } from "@unroll/mcp";
import { escapeHidden, toShownText } from "@unroll/text";
import { type MeasuredServer, renderMcpServer } from "@unroll/report";
import { findServers, measureServer, startServers } from "@unroll/use-cases/mcp";
import { toMissingServerError } from "./missing-server-error.ts";
import { runConfigCommand } from "../run-config-command.ts";

export interface TestOptions extends Pick<ProgramFlags, "config"> {
  /** Empty: all servers that are enabled. */
  readonly names: readonly string[];
  readonly json?: boolean;
}

/** Returns the exit code: 0 all servers are up, 1 one is not, 2 there is none of that name. */
export function testMcpServers({ names, json, ...flags }: TestOptions, io: ProcessIo): Promise<number> {
  return runConfigCommand(flags, io, async (run) => {
    const { config, print } = run;
    const chosen = names.length === 0 ? config.mcpServers.filter(({ enabled }) => enabled) : findServers(names, config);
    if ("type" in chosen) throw toMissingServerError(chosen);
    const { servers: started, events } = await startServers(chosen, run);
    const servers = started.map(measureServer);
    if (json) print(escapeHidden(JSON.stringify(servers.map(toWire), null, 2)));
    else print(servers.length === 0 ? "No MCP server is enabled." : toShownText(renderServers(servers, events)));
    return servers.every(({ state }) => state === "ready") ? 0 : 1;
  });
}

function renderServers(servers: readonly MeasuredServer[], events: readonly McpEvent[]): string {
  return servers.map((server) => [renderMcpServer(server), ...renderNotes(server, events)].join("\n")).join("\n\n");
}

function renderNotes({ id }: MeasuredServer, events: readonly McpEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.server !== id) return [];
    if (event.type === "mcp.tool_adapted") {
      return [`  note: ${event.tool} is ${event.name === null ? "left out" : `called ${event.name}`}: ${event.reason}`];
    }
    const { state } = event;
    if (state.type !== "left_out") return [];
    return [`  note: over the ${state.max_tokens} tokens of mcp_tool_schema_tokens, so its tools are found by search`];
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
