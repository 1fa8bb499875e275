import { mkdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Host } from "./host.ts";

/**
 * The folder for long tool outputs, and for the sandbox's files where shared memory cannot be used:
 * `unroll/sandbox` in the user's state folder (XDG Base Directory). Commands in the sandbox cannot
 * write there.
 */
export function findStateFolder({ env, homeDirectory }: Pick<Host, "env" | "homeDirectory">): string {
  const configured = env["XDG_STATE_HOME"] ?? "";
  return join(isAbsolute(configured) ? configured : join(homeDirectory, ".local/state"), "unroll/sandbox");
}

/**
 * Creates the folder, because only an existing one can be protected: a command could create
 * a link instead of a missing one. It gets a subfolder, because an empty folder may be another sandbox's
 * placeholder, and commands would not see what is added to it later.
 */
export function makeStateFolder(host: Pick<Host, "env" | "homeDirectory">): string {
  const folder = findStateFolder(host);
  try {
    mkdirSync(join(folder, "outputs"), { recursive: true, mode: 0o700 });
  } catch {
    // If it cannot be created here, commands cannot create it either.
  }
  return folder;
}
