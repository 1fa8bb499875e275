import type { ClientResult } from "@unroll/app-server-protocol";
import type { McpToolCallThreadItem } from "@unroll/protocol";
import { explainMissingServer } from "@unroll/report";
import { RequestFault } from "@unroll/thread-host/wire";
import { findServer, type ListedServer, listServers, logInToServer } from "@unroll/use-cases/mcp";
import { parseContents } from "../wire/parse-contents.ts";
import type { LiveThread } from "../thread/threads.ts";
import type { MethodContext, MethodsOf, MethodTable } from "./method.ts";

export const mcpMethods: MethodTable<MethodsOf<"mcpServerStatus" | "mcpServer"> | "config/mcpServer/reload"> = {
  /**
   * The servers of an open thread, because servers run with threads. Without one, those of the config, which nothing
   * has started.
   */
  async "mcpServerStatus/list"(params, { threads, threadHost }) {
    const { threads: open } = threadHost;
    const live = params?.threadId ? threads.find(params.threadId) : ([...open.values()].at(-1) ?? null);
    const { mcpServers } = await threadHost.loadConfig(null);
    const servers = listServers(live?.mcpServers() ?? [], mcpServers);
    return { result: { data: servers.map(toServer), nextCursor: null } };
  },

  async "mcpServer/tool/call"({ threadId, server, tool, arguments: input }, { threads, client, signal }) {
    const thread = threads.find(threadId);
    const asked = { server, tool, arguments: input ?? {} };
    const { result, status } = await callServer("mcp_call", asked, { thread, client, signal });
    const { content, structured_content: structuredContent } = result;
    return { result: { content: [...content], structuredContent, isError: status === "failed" } };
  },

  async "mcpServer/resource/read"({ threadId, server, uri }, { threads, threadHost, client, signal }) {
    const thread = threadId ? threads.find(threadId) : [...threadHost.threads.values()].at(-1);
    if (thread === undefined)
      throw new RequestFault("invalidRequest", "threadId: no thread is open, and servers run with threads.");
    const { result } = await callServer("read_mcp_resource", { server, uri }, { thread, client, signal });
    return { result: { contents: parseContents(result.content) } };
  },

  /** New and resumed threads read the config anyway. */
  async "config/mcpServer/reload"(_, { threadHost, client }) {
    const count = threadHost.threads.size;
    const message = "Open threads keep their MCP servers: resume them for servers that were changed.";
    const after = (): void => client.notify({ method: "warning", params: { threadId: null, message } });
    return { result: {}, ...(count > 0 && { after }) };
  },

  async "mcpServer/oauth/login"({ name }, { threadHost, logins, signal, client }) {
    const config = await threadHost.loadConfig(null);
    const found = findServer(name, config);
    if (found.type === "missing") throw new RequestFault("invalidParams", `name: ${explainMissingServer(found)}`);
    const place = { config, host: threadHost.host, server: name };
    const { shown, ended } = await logins.start<string>((openPage, stop) =>
      logInToServer({ ...place, signal: AbortSignal.any([signal, client.ended, stop]) }, { openPage }),
    );
    const tell = (error: string | null): void =>
      client.notify({ method: "mcpServer/oauthLogin/completed", params: { name, success: error === null, error } });
    return { result: { authorizationUrl: shown }, after: () => void ended.then(tell) };
  },
};

interface CallPlace {
  readonly thread: LiveThread;
  readonly client: MethodContext["client"];
  readonly signal: AbortSignal;
}

/** A call that its server answered. */
type AnsweredCall = McpToolCallThreadItem & { readonly result: NonNullable<McpToolCallThreadItem["result"]> };

/** Calls one of the tools by which the model reaches MCP servers. Throws `RequestFault` if the server did not answer. */
async function callServer(
  name: "mcp_call" | "read_mcp_resource",
  input: Readonly<Record<string, unknown>> & { readonly server: string },
  { thread, client, signal }: CallPlace,
): Promise<AnsweredCall> {
  const { server } = input;
  const { mcpServers } = thread.config;
  if (!mcpServers.some(({ id, enabled }) => id === server && enabled))
    throw new RequestFault("internal", `server: this thread has no MCP server ${JSON.stringify(server)}.`);
  const item = await thread.callTool(name, { ...input }, { signal: AbortSignal.any([signal, client.ended]) });
  if (item?.type === "mcp_tool_call" && item.result !== null) return { ...item, result: item.result };
  const why = item?.type === "mcp_tool_call" ? item.error?.message : null;
  throw new RequestFault("internal", why ?? `The call did not reach the server ${server}.`);
}

/** By our word for it. */
const runtimeStatuses = { disabled: "disabled", starting: "starting", ready: "connected", failed: "failed" } as const;

function toServer({ id: name, status }: ListedServer): ClientResult<"mcpServerStatus/list">["data"][number] {
  const tools = (status?.tools ?? []).map(({ tool, description, parameters }) => {
    return [tool, { name: tool, description, inputSchema: parameters }] as const;
  });
  return {
    name,
    runtimeStatus: status === null ? "notStarted" : runtimeStatuses[status.state],
    toolsError: status?.failure?.message ?? null,
    tools: Object.fromEntries(tools),
    resources: [],
    resourceTemplates: [],
    authStatus: "unsupported",
  };
}
