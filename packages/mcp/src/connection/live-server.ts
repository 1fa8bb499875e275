import { isDeepStrictEqual } from "node:util";
import type { McpTool } from "@unroll/protocol";
import type { McpServerOptions } from "../server-options.ts";
import type { Session } from "../session/session.ts";
import { createSilence } from "../session/silence.ts";
import { withDeadline } from "../session/with-deadline.ts";
import { type ListedTool, toMcpTools } from "../tool/to-mcp-tools.ts";
import { createChangeSignal } from "./change-signal.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { startSession } from "./start-session.ts";

/** One life of a server: it is up, and its tools are known. */
export interface LiveServer {
  readonly type: "ready";
  readonly session: Session;
  /** As of its last word; sorted by name. */
  tools(): readonly McpTool[];
  /** What it said instead of answering, for a message. */
  describeSilence(): string;
}

export interface LiveServerOptions {
  readonly context: ConnectionContext;
  /** Aborts when the connections are closed. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => Promise<void>;
  /** Called when it ended by itself: `exit code 1`. */
  readonly onEnded: (how: string) => void;
}

/** Starts a server and reads its tools. Throws `ServerFault`; nothing of it is left then. */
export async function openLiveServer(server: McpServerOptions, options: LiveServerOptions): Promise<LiveServer> {
  const { context, signal } = options;
  const silence = createSilence();
  const changes = createChangeSignal();
  const deadline = {
    signal,
    timeoutMs: server.startupTimeoutMs,
    describeTimeout: () => describeSlowStart(server, silence.describe()),
  };

  const { session, listed } = await withDeadline(deadline, async (untilReady) => {
    const opened = await startSession(
      server,
      { ...context, ...options, silence, onToolsChanged: changes.signal },
      untilReady,
    );
    return { session: opened, listed: await listOrClose(opened, untilReady) };
  });
  const { tools: first, adapted } = toMcpTools(server, listed);
  for (const event of adapted) context.events.add(event);
  let tools = first;

  changes.handle(async () => {
    const next = toMcpTools(server, await withDeadline(deadline, (limit) => session.listTools(limit))).tools;
    if (isDeepStrictEqual(next, tools)) return;
    const [added, removed] = [namesBeside(next, tools), namesBeside(tools, next)];
    tools = next;
    context.events.add({
      type: "mcp.server_updated",
      server: server.id,
      state: { type: "tools_changed", added, removed },
    });
  });
  return { type: "ready", session, tools: () => tools, describeSilence: () => silence.describe() };
}

async function listOrClose(session: Session, signal: AbortSignal): Promise<readonly ListedTool[]> {
  try {
    return await session.listTools(signal);
  } catch (error) {
    await session.close();
    throw error;
  }
}

function namesBeside(tools: readonly McpTool[], others: readonly McpTool[]): readonly string[] {
  const known = new Set(others.map(({ name }) => name));
  return tools.map(({ name }) => name).filter((name) => !known.has(name));
}

function describeSlowStart({ type, startupTimeoutMs }: McpServerOptions, silence: string): string {
  const remedy = type === "stdio" ? "or run its command by hand to see what it waits for" : "or check its url";
  return `it was not ready within ${startupTimeoutMs / 1000} s${silence}: raise startup_timeout_sec, ${remedy}`;
}
