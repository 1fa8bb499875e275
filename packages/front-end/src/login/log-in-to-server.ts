import { loginLimits } from "@unroll/program";
import { FrontEndError } from "../front-end-error.ts";
import type { FrontEnd } from "../open-front-end.ts";
import { type ShownLogin, showLogin } from "./show-login.ts";

/** Logs in to an MCP server of the config; shows the address of a page. Throws `FrontEndError` `server_missing`. */
export async function logInToServer(
  { host, loadConfig }: Pick<FrontEnd, "host" | "loadConfig">,
  server: string,
  signal: AbortSignal,
): Promise<ShownLogin<string>> {
  const config = await loadConfig(null);
  if (config.mcpServers.every(({ id }) => id !== server))
    throw new FrontEndError("server_missing", `name: no MCP server ${server} is configured.`);
  const { logInToMcp } = await import("@unroll/harness");
  const until = AbortSignal.any([signal, AbortSignal.timeout(loginLimits.mcpPatienceMs)]);
  return showLogin((openPage) => logInToMcp({ config, host, server, onHost: () => {}, openPage, signal: until }));
}
