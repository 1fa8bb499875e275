import {
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Clock } from "@unroll/flow";
import { toProgramFailure } from "@unroll/program";
import { openToolCall } from "./call/open-tool-call.ts";
import type { AgentThreads } from "./thread/agent-threads.ts";
import type { AgentTool } from "./tool/agent-tool.ts";
import { ArgumentFault } from "./tool/argument-fault.ts";
import { codexReplyTool, codexTool } from "./tool/codex-tools.ts";
import { toCallResult } from "./tool/to-call-result.ts";
import { unrollReplyTool, unrollTool } from "./tool/unroll-tools.ts";

const tools: readonly AgentTool[] = [unrollTool, unrollReplyTool, codexTool, codexReplyTool];

const instructions =
  "Each call of unroll starts a coding agent on a task in a folder, and gives back what it said in the end; unroll_reply goes on with that thread. Calls may run side by side. codex and codex-reply are the same under other names.";

/** In place of the SDK's own, which takes time to set up: nothing here is checked by it. */
const noValidator = {
  getValidator(): never {
    throw new Error("Answers are not checked by schemas.");
  },
};

export interface AgentServerParts {
  readonly version: string;
  readonly threads: AgentThreads;
  readonly clock: Pick<Clock, "sleep">;
  /** Gets the arguments of a call that its tool does not know. */
  readonly ignored: (tool: string, places: readonly string[]) => void;
  /** Aborts when all calls are to end. */
  readonly signal: AbortSignal;
}

export interface AgentServer {
  /** An MCP server with our tools, not connected yet: another one for each revision that the client tries. */
  readonly open: () => McpServer;
  /** Whether the person at the client can be asked. */
  readonly hasPerson: () => boolean;
  /** Resolves when no call runs, those that were cancelled too. */
  readonly settled: () => Promise<void>;
}

export function createAgentServer(parts: AgentServerParts): AgentServer {
  const running = new Set<Promise<unknown>>();
  let opened: McpServer | null = null;

  function open(): McpServer {
    opened = createMcpServer(parts, running);
    return opened;
  }

  return {
    open,
    hasPerson: () => opened?.server.getClientCapabilities()?.elicitation !== undefined,
    settled: async () => void (await Promise.all(running)),
  };
}

/** `running`: the calls that it works on. */
function createMcpServer(parts: AgentServerParts, running: Set<Promise<unknown>>): McpServer {
  const created = new McpServer(
    { name: "unroll", title: "unroll", version: parts.version },
    { capabilities: { tools: { listChanged: false } }, instructions, jsonSchemaValidator: noValidator },
  );
  const { server } = created;
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(({ spec }) => spec) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq: request }) => {
    const tool = tools.find(({ spec }) => spec.name === params.name);
    if (tool !== undefined) {
      const work = callTool(tool, { given: params.arguments, request }, parts);
      running.add(work);
      return work.finally(() => running.delete(work));
    }
    const names = tools.map(({ spec }) => spec.name).join(", ");
    const message = `There is no tool ${JSON.stringify(params.name)}: there are ${names}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  });
  return created;
}

interface Called {
  readonly given: unknown;
  readonly request: ServerContext["mcpReq"];
}

/** Any error becomes the result of the call, for the model that made it. */
async function callTool(tool: AgentTool, { given, request }: Called, parts: AgentServerParts): Promise<CallToolResult> {
  try {
    const asked = tool.read(given, (places) => parts.ignored(tool.spec.name, places));
    using call = openToolCall(request, parts);
    return toCallResult(tool, await parts.threads.run(asked, call));
  } catch (error) {
    const message = error instanceof ArgumentFault ? error.message : toProgramFailure(error).error.message;
    return { content: [{ type: "text", text: message }], isError: true };
  }
}
