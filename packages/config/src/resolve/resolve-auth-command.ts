import { resolve } from "node:path";
import { ConfigError } from "../fault/config-error.ts";
import type { AuthCommand } from "../providers/provider-config.ts";
import type { ProviderTable } from "../keys/config-table.ts";
import { providerKeys } from "../keys/provider-keys.ts";
import { formatKey } from "../toml/key-path.ts";
import type { ResolveContext } from "./resolve-context.ts";
import { resolvePath } from "./resolve-path.ts";

const { keys } = providerKeys;

/** The command that prints a provider's key, by either of its two keys; null: there is none. Throws `ConfigError` where there are both. */
export function resolveAuthCommand(context: ResolveContext, id: string, table: ProviderTable): AuthCommand | null {
  const { auth, auth_command: argv } = table;
  const key = formatKey(["model_providers", id, auth === undefined ? "auth_command" : "auth"]);
  if (auth !== undefined && argv !== undefined) {
    throw new ConfigError({
      code: "provider_invalid",
      message: `${key} and auth_command both say how to get the key: keep one of them.`,
      key,
      origin: context.origins.get(key),
    });
  }
  if (argv !== undefined) {
    const timeoutMs = table.auth_command_timeout_ms ?? keys.auth_command_timeout_ms.default;
    return { configKey: key, argv, timeoutMs, refreshMs: null, cwd: null };
  }
  if (auth === undefined) return null;
  const cwd = auth.cwd === undefined ? null : resolvePath(context, `${key}.cwd`, auth.cwd);
  const refreshMs = auth.refresh_interval_ms ?? keys["auth.refresh_interval_ms"].default;
  const program = auth.command.includes("/") && cwd !== null ? resolve(cwd, auth.command) : auth.command;
  return {
    configKey: key,
    argv: [program, ...(auth.args ?? keys["auth.args"].default)],
    timeoutMs: auth.timeout_ms ?? keys["auth.timeout_ms"].default,
    refreshMs: refreshMs === 0 ? null : refreshMs,
    cwd,
  };
}
