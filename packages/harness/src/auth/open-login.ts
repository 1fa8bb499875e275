import type { Auth } from "@unroll/auth";
import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "../host/host.ts";
import { checkCall } from "../check-options.ts";

/**
 * The config's login: log in, show it, log out. Threads find it by themselves. Throws
 * `HarnessError` `invalid_options` for a wrong shape.
 */
export async function openLogin(
  config: Pick<ResolvedConfig, "codexHome" | "login">,
  host: Pick<Host, "env" | "now" | "elapsed">,
): Promise<Auth> {
  checkCall(
    "openLogin",
    { config, host },
    { "config.codexHome": "text", "config.login": "an object", "host.env": "an object" },
  );
  const { codexHome, login } = config;
  const [{ openAuth }, { createClock }] = await Promise.all([
    import("@unroll/auth"),
    import("../host/create-clock.ts"),
  ]);
  const { account, storage, mcpStorage: _mcp, method: _method, ...server } = login;
  return openAuth({ codexHome, account, storage, server, clock: createClock(host), proxyEnv: host.env });
}
