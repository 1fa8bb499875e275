import type { McpAnnouncement, McpServerState, McpTool } from "@unroll/protocol";
import { selectLeftOutServers } from "../tool/select-left-out-servers.ts";
import { sortByName } from "../tool/to-mcp-tools.ts";
import type { EventLog } from "./event-log.ts";
import type { ServerConnection } from "./server-connection.ts";

/** What a thread knows of the tools: settled once, then only added to. */
export interface ThreadTools {
  /** Settles the thread's list on the servers that are up. `waitedMs`: how long the others were waited for. */
  readonly settle: (waitedMs: number) => readonly McpTool[];
  /** Instead: the thread lists and knows these. */
  readonly adopt: (known: readonly McpTool[]) => void;
  /** Of the servers that are up, the tools that the thread does not know; each server once. */
  readonly takeAnnouncements: () => readonly McpAnnouncement[];
}

export interface ThreadToolsOptions {
  readonly connections: readonly ServerConnection[];
  readonly maxSchemaTokens: number;
  readonly events: EventLog;
}

export function createThreadTools({ connections, maxSchemaTokens, events }: ThreadToolsOptions): ThreadTools {
  const leftOut = new Set<string>();
  const told = new Set<string>();
  let known: ReadonlySet<string> | null = null;

  function tell(server: string, state: McpServerState): void {
    events.add({ type: "mcp.server_updated", server, state });
  }

  function adopt(tools: readonly McpTool[]): void {
    known = new Set(tools.map(({ name }) => name));
  }

  function takeAnnouncements(): readonly McpAnnouncement[] {
    if (known === null) return [];
    const names = known;
    const news = readTools(connections).filter(({ server }) => !told.has(server));
    for (const { server } of news) told.add(server);
    return news
      .map(({ server, tools }): McpAnnouncement => ({
        server,
        reason: leftOut.has(server) ? "size" : "late",
        tools: tools.filter(({ name }) => !names.has(name)),
      }))
      .filter(({ tools }) => tools.length > 0);
  }

  return {
    settle(waitedMs) {
      const ready = readTools(connections);
      for (const { server, tokens } of selectLeftOutServers(ready, maxSchemaTokens)) {
        leftOut.add(server);
        tell(server, { type: "left_out", tokens, max_tokens: maxSchemaTokens });
      }
      for (const { server, status } of connections) {
        if (status().type === "starting") tell(server.id, { type: "delayed", waited_ms: Math.round(waitedMs) });
      }
      const direct = ready.filter(({ server }) => !leftOut.has(server));
      for (const { server } of direct) told.add(server);
      const tools = sortByName(direct.flatMap((each) => each.tools));
      adopt(tools);
      return tools;
    },
    adopt,
    takeAnnouncements,
  };
}

/** The tools of each server that is up. */
export interface ServerTools {
  readonly server: string;
  readonly tools: readonly McpTool[];
}

export function readTools(connections: readonly ServerConnection[]): readonly ServerTools[] {
  return connections.flatMap(({ server, status }) => {
    const current = status();
    return current.type === "ready" ? [{ server: server.id, tools: current.tools() }] : [];
  });
}
