import type { KnownMcpTool, McpAnnouncement, McpServerState, McpTool } from "@unroll/protocol";
import type { SupervisedServer } from "../server/supervised-server.ts";
import { markSchema } from "../tool/mark-schema.ts";
import { selectLeftOutServers } from "../tool/select-left-out-servers.ts";
import { sortByName } from "../tool/to-mcp-tools.ts";

/** The tools that a thread's model knows: settled once, then changed by announcements. */
export interface KnownTools {
  /** Settles the thread's list from the running servers. `waitedMs`: how long the others were waited for. */
  readonly settle: (waitedMs: number) => readonly McpTool[];
  /**
   * Returns how the current tools differ from what the model knows, and counts them as known. Empty
   * before the list is settled.
   */
  readonly takeAnnouncements: () => readonly McpAnnouncement[];
  /** The thread went back to a point where its model knew these. */
  readonly reset: (known: ToldTools) => void;
  /** By name, in the order of the announcements to the model. */
  readonly list: () => readonly KnownMcpTool[];
}

/** The tools that the model of a resumed thread knows: see `ThreadNoteValues`. */
export interface ToldTools {
  readonly listed: readonly McpTool[];
  readonly told: readonly KnownMcpTool[] | null;
}

export interface KnownToolsOptions {
  /** The enabled servers. */
  readonly servers: readonly SupervisedServer[];
  /** Null: a new thread, whose list is not settled yet. */
  readonly known: ToldTools | null;
  readonly maxSchemaTokens: number;
  readonly tell: (server: string, state: McpServerState) => void;
}

export function createKnownTools({ servers, known, maxSchemaTokens, tell }: KnownToolsOptions): KnownTools {
  const leftOut = new Set<string>();
  const tools = new Map<string, KnownMcpTool>();
  /** Lists already compared: a server returns a new one when something has changed. */
  const compared = new Map<string, readonly McpTool[]>();
  let isSettled = known !== null;
  if (known !== null) know(readKnown(known));

  function know(told: readonly KnownMcpTool[]): void {
    for (const tool of told) tools.set(tool.name, tool);
  }

  function compare({ server, tools: now }: ServerTools): McpAnnouncement {
    const removed = [...tools.values()].filter(
      (tool) => tool.server === server && !now.some(({ name }) => name === tool.name),
    );
    const added = now.filter(({ name }) => !tools.has(name));
    const changed = now.filter((tool) => tools.has(tool.name) && tools.get(tool.name)?.mark !== markSchema(tool));
    for (const { name } of removed) tools.delete(name);
    know([...added, ...changed].map(toKnown));
    return { server, reason: leftOut.has(server) ? "size" : "late", added, changed, removed };
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
      const direct = ready.filter(({ server }) => !leftOut.has(server)).flatMap((each) => each.tools);
      know(direct.map(toKnown));
      return sortByName(direct);
    },
    takeAnnouncements() {
      if (!isSettled) return [];
      const lists = [...readTools(servers), ...listGoneServers(servers, [...tools.values()])];
      const news = lists.filter((list) => compared.get(list.server) !== list.tools);
      for (const list of news) compared.set(list.server, list.tools);
      return news
        .map(compare)
        .filter(({ added, changed, removed }) => added.length + changed.length + removed.length > 0);
    },
    reset(before) {
      tools.clear();
      compared.clear();
      know(readKnown(before));
    },
    list: () => [...tools.values()],
  };
}

function readKnown({ told, listed }: ToldTools): readonly KnownMcpTool[] {
  return told ?? listed.map(toKnown);
}

function toKnown(tool: McpTool): KnownMcpTool {
  return { name: tool.name, server: tool.server, tool: tool.tool, mark: markSchema(tool) };
}

/** The tools of each running server. */
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

const noTools: readonly McpTool[] = [];

/** Servers that are no longer in the config or enabled. Unlike a server that is down, nothing starts them. */
function listGoneServers(servers: readonly SupervisedServer[], known: readonly KnownMcpTool[]): readonly ServerTools[] {
  const enabled = new Set(servers.map(({ settings }) => settings.id));
  const gone = new Set(known.map(({ server }) => server).filter((server) => !enabled.has(server)));
  return Array.from(gone, (server) => ({ server, tools: noTools }));
}
