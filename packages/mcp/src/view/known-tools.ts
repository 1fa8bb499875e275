import type { McpAnnouncement, McpServerState, McpTool } from "@unroll/protocol";
import type { SupervisedServer } from "../server/supervised-server.ts";
import { selectLeftOutServers } from "../tool/select-left-out-servers.ts";
import { sortByName } from "../tool/to-mcp-tools.ts";

/** What a thread knows of the tools: settled once, then only added to. */
export interface KnownTools {
  /** Settles the thread's list on the servers that are up. `waitedMs`: how long the others were waited for. */
  readonly settle: (waitedMs: number) => readonly McpTool[];
  /** Of the servers that are up, the tools that the thread does not know; each server once. Empty before it is settled. */
  readonly takeAnnouncements: () => readonly McpAnnouncement[];
}

export interface KnownToolsOptions {
  readonly servers: readonly SupervisedServer[];
  /** Names of what the thread knows already; null: it is new, and to be settled. */
  readonly known: readonly string[] | null;
  readonly maxSchemaTokens: number;
  readonly tell: (server: string, state: McpServerState) => void;
}

export function createKnownTools({ servers, known, maxSchemaTokens, tell }: KnownToolsOptions): KnownTools {
  const leftOut = new Set<string>();
  const told = new Set<string>();
  const names = new Set(known);
  let isSettled = known !== null;

  function know(tools: readonly McpTool[]): void {
    for (const { name } of tools) names.add(name);
  }

  return {
    settle(waitedMs) {
      if (isSettled) return [];
      isSettled = true;
      const ready = readTools(servers);
      for (const { server, tokens } of selectLeftOutServers(ready, maxSchemaTokens)) {
        leftOut.add(server);
        tell(server, { type: "left_out", tokens, max_tokens: maxSchemaTokens });
      }
      for (const { settings, status } of servers) {
        if (status().type === "starting") tell(settings.id, { type: "delayed", waited_ms: Math.round(waitedMs) });
      }
      const direct = ready.filter(({ server }) => !leftOut.has(server));
      for (const { server, tools } of direct) {
        told.add(server);
        know(tools);
      }
      return sortByName(direct.flatMap(({ tools }) => tools));
    },
    takeAnnouncements() {
      if (!isSettled) return [];
      const news = readTools(servers).filter(({ server }) => !told.has(server));
      return news.flatMap(({ server, tools }): McpAnnouncement[] => {
        const unknown = tools.filter(({ name }) => !names.has(name));
        told.add(server);
        know(unknown);
        return unknown.length === 0 ? [] : [{ server, reason: leftOut.has(server) ? "size" : "late", tools: unknown }];
      });
    },
  };
}

/** The tools of each server that is up. */
export interface ServerTools {
  readonly server: string;
  readonly tools: readonly McpTool[];
}

export function readTools(servers: readonly SupervisedServer[]): readonly ServerTools[] {
  return servers.flatMap(({ settings, status }) => {
    const current = status();
    return current.type === "ready" ? [{ server: settings.id, tools: current.tools() }] : [];
  });
}
