import { mkdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Host } from "./host.ts";

/**
 * Where threads keep what commands may read on in, and the sandbox its files when it has no better place: `unroll/sandbox`
 * in the user's state folder (XDG Base Directory). Commands in the sandbox cannot write there.
 */
export function findStateFolder({ env, homeDirectory }: Pick<Host, "env" | "homeDirectory">): string {
  const configured = env["XDG_STATE_HOME"] ?? "";
  return join(isAbsolute(configured) ? configured : join(homeDirectory, ".local/state"), "unroll/sandbox");
}

/**
 * Only what is there can be kept from being written: else a command could put a link in its place first. And it is not
 * empty: an empty folder may be another sandbox's placeholder, so commands would not see what comes into it later.
 */
export function makeStateFolder(host: Pick<Host, "env" | "homeDirectory">): string {
  const folder = findStateFolder(host);
  try {
    mkdirSync(join(folder, "outputs"), { recursive: true, mode: 0o700 });
  } catch {
    // Where it cannot be made, commands cannot make it either.
  }
  return folder;
}
