import type { Host } from "@unroll/harness";
import { unrollVersion } from "@unroll/protocol";

/** The program that started us says so by this variable, as the public SDK of the Codex CLI does. */
const callerVariable = "CODEX_INTERNAL_ORIGINATOR_OVERRIDE";

/** How a program presents itself to servers, with our version: as the one that started it, where that one says who it is. `name`: its own, as `unroll_exec`. */
export function toUserAgent(name: string, { platform, env }: Pick<Host, "platform" | "env">): string {
  const caller = env[callerVariable] ?? "";
  return `${/^[\w.-]{1,64}$/.test(caller) ? caller : name}/${unrollVersion} (${platform})`;
}
