import { RequestFault } from "@unroll/line-server";
import { defineMethod, type Method } from "./method.ts";
import { showLogin } from "./show-login.ts";

/** How long a person may take on the pages of the authorization server, in ms. */
const patienceMs = 10 * 60 * 1000;

/** Of an open thread: the servers run with threads. Without one, those of the config, which nothing has started. */
export const listMcpServers: Method = defineMethod("mcpServerStatus/list", async (params, { threads, frontEnd }) => {
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
        tools.map(({ tool, description, parameters }) => [tool, { name: tool, description, inputSchema: parameters }]),
      ),
    })),
    ...others.map(({ id }) => ({ ...base, name: id, runtimeStatus: "disabled" as const, toolsError: null, tools: {} })),
  ];
  return { result: { data, nextCursor: null } };
});

export const logInToMcpServer: Method = defineMethod("mcpServer/oauth/login", async ({ name }, context) => {
  const { frontEnd, signal, client } = context;
  const config = await frontEnd.loadConfig(null);
  if (config.mcpServers.every(({ id }) => id !== name))
    throw new RequestFault("invalidParams", `name: no MCP server ${name} is configured.`);
  const harness = await import("@unroll/harness");
  const { shown, fault } = showLogin<string>((openPage) =>
    harness.logInToMcp({
      config,
      host: frontEnd.host,
      server: name,
      onHost: () => {},
      openPage,
      signal: AbortSignal.any([signal, client.ended, AbortSignal.timeout(patienceMs)]),
    }),
  );
  const tell = (error: string | null): void =>
    client.notify({ method: "mcpServer/oauthLogin/completed", params: { name, success: error === null, error } });
  return { result: { authorizationUrl: await shown }, after: () => void fault.then(tell) };
});
