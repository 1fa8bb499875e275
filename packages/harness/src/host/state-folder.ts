import { isAbsolute, join } from "node:path";
import type { HostEnvironment } from "./host-environment.ts";

/**
 * Where the sandbox keeps its files, and threads what commands may read on in: `unroll/sandbox` in the user's state
 * folder (XDG Base Directory). Commands in the sandbox cannot write there.
 */
export function findStateFolder({ env, homeDirectory }: Pick<HostEnvironment, "env" | "homeDirectory">): string {
  const configured = env["XDG_STATE_HOME"] ?? "";
  return join(isAbsolute(configured) ? configured : join(homeDirectory, ".local/state"), "unroll/sandbox");
}
