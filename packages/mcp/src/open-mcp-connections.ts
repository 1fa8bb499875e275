import { createWatchdog, type StopGraces } from "@unroll/process-tree";
import type { McpFailure } from "@unroll/protocol";
import { callServerTool } from "./connection/call-server-tool.ts";
import { createEventLog } from "./connection/event-log.ts";
import { createServerConnection, type ServerConnection } from "./connection/server-connection.ts";
import { listAllResources, listServerResources, readServerResource } from "./connection/server-resources.ts";
import { createThreadTools, readTools } from "./connection/thread-tools.ts";
import { waitForServers } from "./connection/wait-for-servers.ts";
import type { McpConnections, McpConnectionsOptions, McpReadiness, McpServerStatus } from "./mcp-connections.ts";
import type { McpServerOptions } from "./server-options.ts";
import { sumToolTokens } from "./tool/estimate-tool-tokens.ts";
import { sortByName } from "./tool/to-mcp-tools.ts";

const MAX_SCHEMA_TOKENS = 15_000;
const MAX_MESSAGE_BYTES = 10 * 1_024 * 1_024;
const graces: StopGraces = { quietMs: 300, termMs: 700, killMs: 1_000 };
/** How long servers may clean up where the harness was killed, in ms. */
const watchdogGraceMs = 1_000;

/**
 * Starts all servers that are enabled, side by side and in the background, and returns at once. Where there is none,
 * nothing is loaded and nothing runs.
 */
export function openMcpConnections(options: McpConnectionsOptions): McpConnections {
  const { servers, now, maxSchemaTokens = MAX_SCHEMA_TOKENS, maxMessageBytes = MAX_MESSAGE_BYTES } = options;
  const { elicit = () => Promise.resolve({ type: "declined" } as const) } = options;
  const events = createEventLog();
  const prefix = `${options.newId()}.`;
  const watchdog = createWatchdog(prefix, watchdogGraceMs);
  let starts = 0;
  const newMarker = (): string => `${prefix}${(starts += 1)}`;
  const context = { ...options, elicit, maxMessageBytes, events, watchdog, newMarker, graces };
  const connections = servers.filter(({ enabled }) => enabled).map((server) => createServerConnection(server, context));
  const threadTools = createThreadTools({ connections, maxSchemaTokens, events });

  return {
    async whenReady(wait) {
      const startedAt = now();
      await waitForServers(connections, wait);
      if (wait.signal.aborted) return { type: "aborted" };
      return findRequiredFailure(connections) ?? { type: "ready", tools: threadTools.settle(now() - startedAt) };
    },
    adopt: threadTools.adopt,
    takeAnnouncements: threadTools.takeAnnouncements,
    takeEvents: events.take,
    tools: () => sortByName(readTools(connections).flatMap(({ tools }) => tools)),
    servers: () => servers.map((server) => toStatus(server, connections)),
    async call(call, callContext) {
      const connection = find(connections, call.server);
      return connection.type === "failed" ? connection : callServerTool(connection, call, callContext);
    },
    async listResources({ kind, server, cursor }, signal) {
      if (server === null) return listAllResources(connections.filter(isUp), kind, signal);
      const connection = find(connections, server);
      return connection.type === "failed" ? connection : listServerResources(connection, { kind, cursor }, signal);
    },
    async readResource({ server, uri }, signal) {
      const connection = find(connections, server);
      return connection.type === "failed" ? connection : readServerResource(connection, uri, signal);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(connections.map((connection) => connection.close()));
      await watchdog.close();
    },
  };
}

function isUp({ status }: ServerConnection): boolean {
  return status().type === "ready";
}

function find(connections: readonly ServerConnection[], id: string): ServerConnection | McpFailure {
  const found = connections.find(({ server }) => server.id === id);
  if (found !== undefined) return found;
  const names = connections.map(({ server }) => server.id).join(", ");
  const message = `There is no MCP server "${id}" that is enabled. The servers are: ${names || "none"}.`;
  return { type: "failed", code: "unknown_server", message };
}

function findRequiredFailure(connections: readonly ServerConnection[]): McpReadiness | null {
  for (const { server, status } of connections) {
    const current = status();
    if (server.required && current.type === "failed") {
      return { type: "required_failed", server: server.id, failure: current };
    }
  }
  return null;
}

function toStatus({ id }: McpServerOptions, connections: readonly ServerConnection[]): McpServerStatus {
  const base = { id, tools: [], tokens: 0, failure: null };
  const current = connections.find(({ server }) => server.id === id)?.status();
  switch (current?.type) {
    case undefined:
      return { ...base, state: "disabled" };
    case "starting":
      return { ...base, state: "starting" };
    case "ready":
      return { ...base, state: "ready", tools: current.tools(), tokens: sumToolTokens(current.tools()) };
    case "failed":
      return { ...base, state: "failed", failure: current };
  }
}
