import type { MethodTable } from "./method.ts";

/**
 * The version that clients of the Codex CLI look for in the first number of the user agent: one of them refuses servers
 * below 0.153.0. It names the version of their protocol that we speak; our own version follows it.
 */
const spokenVersion = "0.169.0";

export const initialize: MethodTable<"initialize">["initialize"] = async (
  { clientInfo },
  { io, threadHost, version },
) => ({
  result: {
    userAgent: `unroll_app_server/${spokenVersion} (${io.platform}) unroll/${version} (${clientInfo.name}; ${clientInfo.version})`,
    codexHome: (await threadHost.loadConfig(null)).codexHome,
    platformFamily: io.platform === "win32" ? "windows" : "unix",
    platformOs: io.platform === "darwin" ? "macos" : io.platform === "win32" ? "windows" : io.platform,
  },
});
