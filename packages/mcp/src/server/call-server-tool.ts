import type { McpCall, McpCallOutcome } from "@unroll/protocol";
import type { CallContext } from "../client/connection.ts";
import { withDeadline } from "../client/with-deadline.ts";
import { ServerFault } from "../fault/server-fault.ts";
import type { ResolvedServer } from "../settings/resolved-server.ts";
import { isToolEnabled } from "../tool/to-mcp-tools.ts";
import type { LiveServer } from "./live-server.ts";
import type { SupervisedServer } from "./supervised-server.ts";
import { useServer } from "./use-server.ts";

/** How many tools a message names. */
const maxNames = 30;

/** Calls a tool by the server's own name for it. Expected failures are outcomes. */
export function callServerTool(server: SupervisedServer, call: McpCall, context: CallContext): Promise<McpCallOutcome> {
  const { settings, sleep } = server;
  const { signal, elicit } = context;
  return useServer(server, signal, async (live) => {
    checkTool(settings, live, call.tool);
    const { toolTimeoutMs: timeoutMs } = settings;
    const isPaused = (): boolean => elicit !== null && live.connection.isAsking(elicit);
    const describeTimeout = (): string =>
      `${call.tool} did not answer within ${timeoutMs / 1000} s${live.describeSilence()}; it may still be at work. tool_timeout_sec sets the time`;
    const result = await withDeadline({ signal, sleep, timeoutMs, isPaused, describeTimeout }, (limit) =>
      live.connection.callTool(call, { ...context, signal: limit }),
    );
    await live.whenListed(signal); // returns together with changes of the tools that the call caused
    return result;
  });
}

function checkTool(settings: ResolvedServer, live: LiveServer, tool: string): void {
  if (!isToolEnabled(settings, tool)) {
    throw new ServerFault("unknown_tool", `the config keeps ${tool} from use (enabled_tools, disabled_tools)`);
  }
  const names = live.tools().map((each) => each.tool);
  if (names.includes(tool)) return;
  const rest = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  throw new ServerFault("unknown_tool", `it has no tool ${tool}; it has ${names.slice(0, maxNames).join(", ")}${rest}`);
}
