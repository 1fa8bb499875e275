import { loginLimits } from "@unroll/use-cases/login";
import { ThreadHostError } from "../thread-host-error.ts";
import type { ThreadHost } from "../open-thread-host.ts";
import { type ShownLogin, showLogin } from "./show-login.ts";

/** Logs in to an MCP server of the config; shows the address of a page. Throws `ThreadHostError` `server_missing`. */
export async function logInToServer(
  { host, loadConfig }: Pick<ThreadHost, "host" | "loadConfig">,
  server: string,
  signal: AbortSignal,
): Promise<ShownLogin<string>> {
  const config = await loadConfig(null);
  if (config.mcpServers.every(({ id }) => id !== server))
    throw new ThreadHostError("server_missing", `name: no MCP server ${server} is configured.`);
  const { logInToMcp } = await import("@unroll/harness");
  const until = AbortSignal.any([signal, AbortSignal.timeout(loginLimits.mcpPatienceMs)]);
  return showLogin((openPage) => logInToMcp({ config, host, server, onHost: () => {}, openPage, signal: until }));
}
