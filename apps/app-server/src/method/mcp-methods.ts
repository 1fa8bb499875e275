import { logInToServer } from "@unroll/front-end";
import type { MethodsOf, MethodTable } from "./method.ts";

export const mcpMethods: MethodTable<MethodsOf<"mcpServerStatus" | "mcpServer">> = {
  /** Of an open thread: the servers run with threads. Without one, those of the config, which nothing has started. */
  async "mcpServerStatus/list"(params, { threads, frontEnd }) {
    const live = params?.threadId ? threads.find(params.threadId) : (threads.list().at(-1) ?? null);
    const running = live?.thread.mcpServers() ?? [];
    const { mcpServers } = await frontEnd.loadConfig(null);
    const base = { resources: [], resourceTemplates: [], authStatus: "unsupported" as const };
    const others = mcpServers.filter(({ id }) => running.every((server) => server.id !== id));
    const data = [
      ...running.map(({ id, state, tools, failure }) => ({
        ...base,
        name: id,
        runtimeStatus: state,
        toolsError: failure?.message ?? null,
        tools: Object.fromEntries(
          tools.map(({ tool, description, parameters }) => [
            tool,
            { name: tool, description, inputSchema: parameters },
          ]),
        ),
      })),
      ...others.map(({ id }) => ({
        ...base,
        name: id,
        runtimeStatus: "disabled" as const,
        toolsError: null,
        tools: {},
      })),
    ];
    return { result: { data, nextCursor: null } };
  },

  async "mcpServer/oauth/login"({ name }, { frontEnd, signal, client }) {
    const { shown, fault } = await logInToServer(frontEnd, name, AbortSignal.any([signal, client.ended]));
    const tell = (error: string | null): void =>
      client.notify({ method: "mcpServer/oauthLogin/completed", params: { name, success: error === null, error } });
    return { result: { authorizationUrl: await shown }, after: () => void fault.then(tell) };
  },
};
