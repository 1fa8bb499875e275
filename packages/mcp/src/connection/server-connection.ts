import { join } from "node:path";
import type { McpFailure, McpServerState } from "@unroll/protocol";
import type { McpServerOptions } from "../server-options.ts";
import { redact } from "../session/redact.ts";
import { ServerFault } from "../session/server-fault.ts";
import { createServerLog } from "../stdio/server-log.ts";
import { sumToolTokens } from "../tool/estimate-tool-tokens.ts";
import { toServerKey } from "../tool/tool-names.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { type LiveServer, openLiveServer } from "./live-server.ts";
import { toFailure } from "./to-failure.ts";

/** One server, from its first start, at once, through all its restarts. */
export interface ServerConnection {
  readonly type: "connection";
  readonly server: McpServerOptions;
  /** How its first start ended. Never rejects. */
  readonly started: Promise<LiveServer | McpFailure>;
  readonly status: () => ConnectionStatus;
  /** Starts it where it is not up. Never rejects; callers at the same time share one start. */
  start(): Promise<LiveServer | McpFailure>;
  /** Gives up this life of it: the next start is a new one. */
  drop(live: LiveServer): Promise<void>;
  /** What a fault of a request is to a caller. */
  explain(fault: ServerFault): McpFailure;
  /** Resolves when nothing of it is left. */
  close(): Promise<void>;
}

type ConnectionStatus = { readonly type: "starting" } | LiveServer | McpFailure;

const MAX_LOG_BYTES = 1_024 * 1_024;

export function createServerConnection(server: McpServerOptions, context: ConnectionContext): ServerConnection {
  const log = createServerLog(join(context.logDirectory, `${toServerKey(server.id)}.log`), MAX_LOG_BYTES);
  const closed = new AbortController();
  let status: ConnectionStatus = { type: "starting" };
  let starting: Promise<LiveServer | McpFailure> | undefined;

  function tell(state: McpServerState): void {
    context.events.add({ type: "mcp.server_updated", server: server.id, state });
  }

  function explain(fault: ServerFault): McpFailure {
    return toFailure(fault, server, log.tail());
  }

  /** Before it is ready its end is a failure to start, told elsewhere. */
  function end(how: string): void {
    if (status.type !== "ready") return;
    const fault = new ServerFault("server_died", `it has ended (${how}); the next call starts it again`);
    status = toFailure(fault, server, "");
    tell({ type: "closed", message: status.message });
  }

  async function open(): Promise<LiveServer | McpFailure> {
    tell({ type: "starting" });
    log.forgetTail();
    const startedAt = context.now();
    const write = (line: string): Promise<void> => log.write(redact(line, server));
    try {
      const live = await openLiveServer(server, { context, signal: closed.signal, log: write, onEnded: end });
      status = live;
      tell(toReadyState(live, context.now() - startedAt));
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      status = explain(error);
      const { code, message } = toFailure(error, server, "");
      if (!closed.signal.aborted)
        tell({ type: "failed", required: server.required, code, message, stderr_tail: log.tail() });
    }
    return status;
  }

  async function start(): Promise<LiveServer | McpFailure> {
    if (status.type === "ready") return status;
    status = { type: "starting" };
    starting ??= open().finally(() => (starting = undefined));
    return starting;
  }

  return {
    type: "connection",
    server,
    started: start(),
    status: () => status,
    start,
    async drop(live) {
      if (status === live) end("it has forgotten the session");
      await live.session.close();
    },
    explain,
    async close() {
      closed.abort();
      const last = (await starting) ?? status;
      if (last.type === "ready") await last.session.close();
      await log.close();
    },
  };
}

function toReadyState(live: LiveServer, durationMs: number): McpServerState {
  const tools = live.tools();
  return { type: "ready", tools: tools.length, tokens: sumToolTokens(tools), duration_ms: Math.round(durationMs) };
}
