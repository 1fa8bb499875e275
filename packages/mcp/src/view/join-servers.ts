import type { McpFailure, McpServerConfig } from "@unroll/protocol";
import { callServerTool } from "../server/call-server-tool.ts";
import type { McpEvent } from "../server/mcp-event.ts";
import type { ServerContext } from "../server/server-context.ts";
import { listAllResources, listServerResources, readServerResource } from "../server/server-resources.ts";
import type { SupervisedServer } from "../server/supervised-server.ts";
import { sortByName } from "../tool/to-mcp-tools.ts";
import { createEventFeed } from "./event-feed.ts";
import { createKnownTools, readTools } from "./known-tools.ts";
import type { McpJoinOptions, McpReadiness, McpView } from "./mcp-view.ts";
import { toServerStatus } from "./server-status.ts";
import { waitForServers } from "./wait-for-servers.ts";

const defaultSchemaTokens = 15_000;

/** The servers of a view. */
export interface ViewedServers extends Pick<ServerContext, "elapsed" | "sleep"> {
  /** All servers of the config, in its order. */
  readonly configured: readonly McpServerConfig[];
  /** The enabled servers. */
  readonly servers: readonly SupervisedServer[];
  /** Reports later events. Returns a function that stops it. */
  readonly onEvent: (listener: (event: McpEvent) => void) => () => void;
}

export function joinServers(viewed: ViewedServers, options: McpJoinOptions): McpView {
  const { configured, servers, elapsed, sleep } = viewed;
  const { known = null, elicit = null, maxSchemaTokens = defaultSchemaTokens } = options;
  const closed = new AbortController();
  const until = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, closed.signal]);
  const feed = createEventFeed(servers.flatMap(({ history }) => history()));
  const stopListening = viewed.onEvent(feed.tell);
  const knownTools = createKnownTools({
    servers,
    known,
    maxSchemaTokens,
    tell: (server, state) => feed.tell({ type: "mcp.server_updated", server, state }),
  });

  return {
    async whenReady(wait) {
      if (known !== null) return { type: "ready", tools: [] };
      const signal = until(wait.signal);
      const startedAt = elapsed();
      await waitForServers(servers, { ...wait, signal, sleep });
      if (signal.aborted) return { type: "aborted" };
      return findRequiredFailure(servers) ?? { type: "ready", tools: knownTools.settle(elapsed() - startedAt) };
    },
    takeAnnouncements: knownTools.takeAnnouncements,
    resetKnown: knownTools.reset,
    known: knownTools.list,
    onEvent: feed.listen,
    tools: () => sortByName(readTools(servers).flatMap(({ tools }) => tools)),
    servers: () =>
      configured.map(({ id }) => toServerStatus(id, servers.find(({ settings }) => settings.id === id) ?? null)),
    async call(call, { signal, onProgress }) {
      const server = find(servers, call.server);
      if (server.type === "failed") return server;
      return callServerTool(server, call, { signal: until(signal), onProgress, elicit });
    },
    async listResources({ kind, server: id, cursor }, signal) {
      if (id === null) return listAllResources(servers.filter(isUp), kind, until(signal));
      const server = find(servers, id);
      return server.type === "failed" ? server : listServerResources(server, { kind, cursor }, until(signal));
    },
    async readResource({ server: id, uri }, signal) {
      const server = find(servers, id);
      return server.type === "failed" ? server : readServerResource(server, uri, until(signal));
    },
    close() {
      stopListening();
      closed.abort();
    },
  };
}

function isUp({ status }: SupervisedServer): boolean {
  return status().type === "ready";
}

function find(servers: readonly SupervisedServer[], id: string): SupervisedServer | McpFailure {
  const found = servers.find(({ settings }) => settings.id === id);
  if (found !== undefined) return found;
  const names = servers.map(({ settings }) => settings.id).join(", ");
  const message = `There is no MCP server "${id}" that is enabled. The servers are: ${names || "none"}.`;
  return { type: "failed", code: "unknown_server", message };
}

function findRequiredFailure(servers: readonly SupervisedServer[]): McpReadiness | null {
  for (const { settings, status } of servers) {
    const current = status();
    if (settings.required && current.type === "failed") {
      return { type: "required_failed", server: settings.id, failure: current };
    }
  }
  return null;
}
