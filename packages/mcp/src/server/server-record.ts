import type { McpFailure, McpServerState } from "@unroll/protocol";
import { ServerFault } from "../fault/server-fault.ts";
import { toFailure } from "../fault/to-failure.ts";
import type { ResolvedServer } from "../settings/resolved-server.ts";
import { sumToolTokens } from "../tool/estimate-tool-tokens.ts";
import type { LiveServer } from "./live-server.ts";
import { keepEvent, type McpEvent } from "./mcp-event.ts";

type ServerStatus = { readonly type: "starting" } | LiveServer | McpFailure;

/** The status and the history of a server. Every change is reported. */
export interface ServerRecord {
  readonly status: () => ServerStatus;
  /** Events since its last start began, in order. */
  readonly history: () => readonly McpEvent[];
  readonly tell: (event: McpEvent) => void;
  /** It starts, for the first time or again. */
  readonly begin: () => void;
  readonly succeed: (live: LiveServer, durationMs: number) => void;
  /** It did not start. `stderrTail`: the end of its stderr. */
  readonly fail: (fault: ServerFault, stderrTail: string) => void;
  /** It has ended by itself. Before it is ready, that is a failed start, which is reported separately. */
  readonly end: (how: string) => void;
}

export interface ServerRecordOptions {
  readonly tell: (event: McpEvent) => void;
  /** Whether the server was given up; then its failure is not reported. */
  readonly isClosed: () => boolean;
}

export function createServerRecord(settings: ResolvedServer, options: ServerRecordOptions): ServerRecord {
  let status: ServerStatus = { type: "starting" };
  let history: McpEvent[] = [];

  function tell(event: McpEvent): void {
    keepEvent(history, event);
    options.tell(event);
  }

  function tellState(state: McpServerState): void {
    tell({ type: "mcp.server_updated", server: settings.id, state });
  }

  return {
    status: () => status,
    history: () => history,
    tell,
    begin() {
      status = { type: "starting" };
      history = [];
      tellState(status);
    },
    succeed(live, durationMs) {
      status = live;
      const tools = live.tools();
      const tokens = sumToolTokens(tools);
      tellState({ type: "ready", tools: tools.length, tokens, duration_ms: Math.round(durationMs) });
    },
    fail(fault, stderrTail) {
      status = toFailure(fault, settings, stderrTail);
      if (options.isClosed()) return;
      const { code, message } = toFailure(fault, settings, "");
      tellState({ type: "failed", required: settings.required, code, message, stderr_tail: stderrTail });
    },
    end(how) {
      if (status.type !== "ready") return;
      const fault = new ServerFault("server_died", `it has ended (${how}); the next call starts it again`);
      status = toFailure(fault, settings, "");
      tellState({ type: "closed", message: status.message });
    },
  };
}
