import type { ClientResult } from "@unroll/app-server-protocol";
import { explainMissingServer } from "@unroll/report";
import { RequestFault } from "@unroll/thread-host/wire";
import { findServer, type ListedServer, listServers, logInToServer } from "@unroll/use-cases/mcp";
import type { MethodsOf, MethodTable } from "./method.ts";

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
