import { codexVersion } from "@unroll/protocol/codex-version";
import type { MethodTable } from "./method.ts";

/** The first number is the one that clients of the Codex CLI look for: one of them refuses servers below 0.153.0. */
export const initialize: MethodTable<"initialize">["initialize"] = async (
  { clientInfo },
  { io, threadHost, version },
) => ({
  result: {
    userAgent: `unroll_app_server/${codexVersion} (${io.platform}) unroll/${version} (${clientInfo.name}; ${clientInfo.version})`,
    codexHome: (await threadHost.loadConfig(null)).codexHome,
    platformFamily: io.platform === "win32" ? "windows" : "unix",
    platformOs: io.platform === "darwin" ? "macos" : io.platform === "win32" ? "windows" : io.platform,
  },
});
