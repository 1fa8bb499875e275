import type { McpCall, McpCallOutcome } from "@unroll/protocol";
import type { McpServerOptions } from "../server-options.ts";
import { ServerFault } from "../session/server-fault.ts";
import type { SessionCallContext } from "../session/session.ts";
import { withDeadline } from "../session/with-deadline.ts";
import { isToolEnabled } from "../tool/to-mcp-tools.ts";
import type { LiveServer } from "./live-server.ts";
import type { ServerConnection } from "./server-connection.ts";
import { useServer } from "./use-server.ts";

/** How many tools a message names. */
const MAX_NAMES = 30;

/** Calls a tool by the server's own name for it. Expected failures are outcomes. */
export function callServerTool(
  connection: ServerConnection,
  call: McpCall,
  context: SessionCallContext,
): Promise<McpCallOutcome> {
  const { server } = connection;
  return useServer(connection, context.signal, async (live) => {
    checkTool(server, live, call.tool);
    const { toolTimeoutMs: timeoutMs } = server;
    const describeTimeout = (): string =>
      `${call.tool} did not answer within ${timeoutMs / 1000} s${live.describeSilence()}; it may still be at work. tool_timeout_sec sets the time`;
    return withDeadline(
      { signal: context.signal, timeoutMs, isPaused: () => live.session.isAsking(), describeTimeout },
      (signal) => live.session.callTool(call, { ...context, signal }),
    );
  });
}

function checkTool(server: McpServerOptions, live: LiveServer, tool: string): void {
  if (!isToolEnabled(server, tool)) {
    throw new ServerFault("unknown_tool", `the config keeps ${tool} from use (enabled_tools, disabled_tools)`);
  }
  const names = live.tools().map((each) => each.tool);
  if (names.includes(tool)) return;
  const rest = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  throw new ServerFault(
    "unknown_tool",
    `it has no tool ${tool}; it has ${names.slice(0, MAX_NAMES).join(", ")}${rest}`,
  );
}
