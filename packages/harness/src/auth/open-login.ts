import type { Auth } from "@unroll/auth";
import type { ResolvedConfig } from "@unroll/config";
import type { Host } from "../host/host.ts";
import { checkCall } from "../check-options.ts";

/** The login that the config is about: to log in, look and log out with. Threads find it by themselves. */
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
  const { storage, mcpStorage: _mcp, method: _method, ...server } = login;
  return openAuth({ codexHome, storage, server, clock: createClock(host), proxyEnv: host.env });
}
