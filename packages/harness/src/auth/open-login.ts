import type { Auth } from "@unroll/auth";
import type { ResolvedConfig } from "@unroll/config";
import type { HostEnvironment } from "../host/host-environment.ts";

/** The login that the config is about: to log in, look and log out with. Threads find it by themselves. */
export async function openLogin(
  { codexHome, login }: Pick<ResolvedConfig, "codexHome" | "login">,
  host: Pick<HostEnvironment, "env" | "now" | "elapsed">,
): Promise<Auth> {
  const [{ openAuth }, { createClock }] = await Promise.all([
    import("@unroll/auth"),
    import("../host/create-clock.ts"),
  ]);
  const { storage, mcpStorage: _mcp, method: _method, ...server } = login;
  return openAuth({ codexHome, storage, server, clock: createClock(host), proxyEnv: host.env });
}
