import { type ConfigOverride, loadConfig, type ResolvedConfig, resolveCodexHome } from "@unroll/config";
import type { HostEnvironment } from "../host/host-environment.ts";
import { checkKeys } from "../options/check-options.ts";
import type { ConfigKeys, ConfigSettings } from "./config-settings.ts";

const known: Readonly<Record<keyof ConfigSettings, true>> = {
  model: true,
  profile: true,
  cwd: true,
  sandboxMode: true,
  approvalPolicy: true,
  writableFolders: true,
  codexHome: true,
  keys: true,
};

/** The config of a harness. Throws `ConfigError` for what cannot be used, and `HarnessError` `invalid_options` for names that are none. */
export async function settleConfig(
  config: ResolvedConfig | ConfigSettings,
  { env, cwd, platform }: HostEnvironment,
): Promise<ResolvedConfig> {
  if ("origins" in config) return config;
  checkKeys({ call: "config", hint: "Keys of config.toml go into config.keys." }, config, known);
  const { model, profile, sandboxMode, approvalPolicy, writableFolders: addDirs, keys = {} } = config;
  return loadConfig({
    codexHome: config.codexHome ?? resolveCodexHome(env, cwd),
    systemFile: platform === "win32" ? undefined : "/etc/codex/config.toml",
    cwd,
    env,
    profile,
    overrides: toOverrides(keys, []),
    flags: { model, cwd: config.cwd, addDirs, sandboxMode, approvalPolicy },
  });
}

/** A list is one value; of an object each key is one. */
function toOverrides(keys: ConfigKeys, path: readonly string[]): readonly ConfigOverride[] {
  return Object.entries(keys).flatMap(([key, value]): readonly ConfigOverride[] => {
    const inner = [...path, key];
    if (isKeys(value)) return toOverrides(value, inner);
    return [{ key: inner.join("."), value: JSON.stringify(value), origin: "config.keys" }];
  });
}

function isKeys(value: ConfigKeys[string]): value is ConfigKeys {
  return typeof value === "object" && !Array.isArray(value);
}
