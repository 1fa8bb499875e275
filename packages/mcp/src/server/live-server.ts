import { isDeepStrictEqual } from "node:util";
import type { McpTool } from "@unroll/protocol";
import type { Connection } from "../client/connection.ts";
import { startConnection } from "../client/start-connection.ts";
import { withDeadline } from "../client/with-deadline.ts";
import type { ResolvedServer } from "../settings/resolved-server.ts";
import { type ListedTool, toMcpTools } from "../tool/to-mcp-tools.ts";
import { createSilence } from "../transport/silence.ts";
import { createChangeSignal } from "./change-signal.ts";
import type { ServerContext } from "./server-context.ts";

/** One life of a server: it runs, and its tools are known. */
export interface LiveServer {
  readonly type: "ready";
  readonly connection: Connection;
  /** As of its last list; sorted by name. */
  tools(): readonly McpTool[];
  /**
   * Resolves when it has listed its tools again after reporting a change; at the latest after 2 s,
   * or when the signal aborts.
   */
  whenListed(until: AbortSignal): Promise<void>;
  /** Its output that was not a response, for a message. */
  describeSilence(): string;
}

/** In ms: how long a call's result waits for a changed list. */
const mostListingMs = 2_000;

export interface LiveServerOptions extends ServerContext {
  /** Aborts when the server is given up. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => Promise<void>;
  /** Called when it ends by itself: `exit code 1`. */
  readonly onEnded: (how: string) => void;
}

/** Starts a server and reads its tools. Throws `ServerFault`; then nothing of it is left. */
export async function openLiveServer(server: ResolvedServer, options: LiveServerOptions): Promise<LiveServer> {
  const { mask, signal, sleep, tell } = options;
  const silence = createSilence();
  const changes = createChangeSignal();
  const describeTimeout = (): string => describeSlowStart(server, silence.describe());
  const deadline = { signal, sleep, timeoutMs: server.startupTimeoutMs, describeTimeout };

  const { connection, listed } = await withDeadline(deadline, async (untilReady) => {
    const started = { ...options, silence, onToolsChanged: changes.signal };
    const opened = await (options.connect ?? startConnection)(server, started, untilReady);
    return { connection: opened, listed: await listOrClose(opened, untilReady) };
  });
  const { tools: first, adapted } = toMcpTools(server, listed, mask);
  for (const event of adapted) tell(event);
  let tools = first;

  changes.handle(async () => {
    const relisted = await withDeadline(deadline, (limit) => connection.listTools(limit));
    const next = toMcpTools(server, relisted, mask).tools;
    if (isDeepStrictEqual(next, tools)) return;
    const [added, removed, changed] = [namesBeside(next, tools), namesBeside(tools, next), namesChanged(next, tools)];
    tools = next;
    tell({ type: "mcp.server_updated", server: server.id, state: { type: "tools_changed", added, removed, changed } });
  });
  return {
    type: "ready",
    connection,
    tools: () => tools,
    async whenListed(until) {
      const over = new AbortController();
      const limit = sleep(mostListingMs, AbortSignal.any([until, over.signal]));
      await Promise.race([changes.idle(), limit]).finally(() => over.abort());
    },
    describeSilence: () => silence.describe(),
  };
}

async function listOrClose(connection: Connection, signal: AbortSignal): Promise<readonly ListedTool[]> {
  try {
    return await connection.listTools(signal);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function namesBeside(tools: readonly McpTool[], others: readonly McpTool[]): readonly string[] {
  const known = new Set(others.map(({ name }) => name));
  return tools.map(({ name }) => name).filter((name) => !known.has(name));
}

function namesChanged(tools: readonly McpTool[], before: readonly McpTool[]): readonly string[] {
  const known = new Map(before.map((tool) => [tool.name, tool]));
  return tools.flatMap((tool) => {
    const was = known.get(tool.name);
    return was === undefined || isDeepStrictEqual(was, tool) ? [] : [tool.name];
  });
}

function describeSlowStart({ type, startupTimeoutMs }: ResolvedServer, silence: string): string {
  const remedy = type === "stdio" ? "or run its command by hand to see what it waits for" : "or check its url";
  return `it was not ready within ${startupTimeoutMs / 1000} s${silence}: raise startup_timeout_sec, ${remedy}`;
}
