import { join, resolve } from "node:path";
import { ConfigError } from "./config-error.ts";
import type { Environment } from "./config-sources.ts";

/** The user's home folder; null: the environment names none. */
export function findHome(env: Environment): string | null {
  return env["HOME"] || env["USERPROFILE"] || null;
}

/**
 * The folder of `config.toml`, `auth.json` and the threads: `$CODEX_HOME` (relative to `cwd`), else
 * `~/.codex`. Absolute; need not exist. Throws `ConfigError` (`folder_not_found`) when
 * `CODEX_HOME`, `HOME` and `USERPROFILE` are all unset.
 */
export function resolveCodexHome(env: Environment, cwd: string): string {
  const configured = env["CODEX_HOME"];
  if (configured) return resolve(cwd, configured);
  const home = findHome(env);
  if (home !== null) return join(home, ".codex");
  throw new ConfigError({
    code: "folder_not_found",
    message: "There is no folder for the config: set CODEX_HOME or HOME.",
  });
}

/** The folder where logins of MCP servers are saved; commands cannot read it. */
export function toMcpTokenFolder(codexHome: string): string {
  return join(codexHome, "mcp-tokens");
}
