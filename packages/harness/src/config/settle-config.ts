import { type ConfigOverride, loadConfig, type ResolvedConfig, resolveCodexHome } from "@unroll/config";
import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";
import type { HostEnvironment } from "../host/host-environment.ts";
import { checkKeys } from "../options/check-options.ts";

/**
 * What a program sets of the config; the rest is as `unroll` would have it in this folder: its files (`config.toml`), its
 * login, the variables of the host.
 */
export interface ConfigSettings {
  readonly model?: string;
  /** Of `[profiles]`. */
  readonly profile?: string;
  /** Relative to the host's. Absent: that. */
  readonly cwd?: string;
  readonly sandboxMode?: SandboxMode;
  readonly approvalPolicy?: ApprovalPolicy;
  /** Further folders that commands may write; relative to `cwd`. */
  readonly writableFolders?: readonly string[];
  /** The folder of `config.toml`, `auth.json`, rules and skills, absolute; it need not be there. Absent: `$CODEX_HOME`, or `~/.codex`. */
  readonly codexHome?: string;
  /** Any key of `config.toml`, dotted or nested: `{ model_provider: "local", "model_providers.local.base_url": url }`. */
  readonly keys?: ConfigKeys;
}

/** Keys of `config.toml` with their values; an object stands for the table of its name. */
export interface ConfigKeys {
  readonly [key: string]: string | number | boolean | readonly (string | number | boolean)[] | ConfigKeys;
}

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
