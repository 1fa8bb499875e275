import { type ConfigOverride, loadConfig, resolveCodexHome, type ResolvedConfig } from "@unroll/config";
import { approvalPolicies, type ApprovalPolicy, type SandboxMode, sandboxModes } from "@unroll/protocol";
import type { Host } from "../host/host.ts";
import { HarnessError } from "../harness-error.ts";
import { findModelChoice } from "../model/find-model-choice.ts";
import { checkCall, checkKeys } from "../check-options.ts";

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

const shape = {
  "model?": "text",
  "profile?": "text",
  "cwd?": "text",
  "sandboxMode?": sandboxModes,
  "approvalPolicy?": approvalPolicies,
  "writableFolders?": "a list",
  "codexHome?": "text",
  "keys?": "an object",
} as const;

/**
 * The config of a harness. Throws `ConfigError` for what cannot be used. Throws `HarnessError`
 * `invalid_options` for unknown names, and `model_unnamed` if no model is named and the provider
 * does not have exactly one.
 */
export async function settleConfig(config: ResolvedConfig | ConfigSettings, host: Host): Promise<ResolvedConfig> {
  if ("origins" in config) return config;
  checkKeys({ call: "config", hint: "Keys of config.toml go into config.keys." }, config, known);
  checkCall("config", config, shape);
  const loaded = await load(config, host);
  const { signal } = new AbortController();
  const choice = await findModelChoice(loaded, { host, userAgent: "unroll_sdk", signal });
  switch (choice.type) {
    case "named":
      return loaded;
    case "only":
      return load({ ...config, model: choice.model }, host);
    case "open":
      throw new HarnessError("model_unnamed", choice.message);
  }
}

function load(config: ConfigSettings, { env, cwd, platform }: Host): Promise<ResolvedConfig> {
  const { model, profile, sandboxMode, approvalPolicy, writableFolders: addDirs, keys = {} } = config;
  return loadConfig({
    codexHome: config.codexHome ?? resolveCodexHome(env, cwd),
    systemFile: platform === "win32" ? undefined : "/etc/codex/config.toml",
    cwd,
    env,
    profile,
    overrides: toOverrides(keys, []),
    flags: {
      cwd: config.cwd,
      addDirs,
      keys: [
        { key: "model", value: model, origin: "config.model" },
        { key: "sandbox_mode", value: sandboxMode, origin: "config.sandboxMode" },
        { key: "approval_policy", value: approvalPolicy, origin: "config.approvalPolicy" },
      ],
    },
  });
}

/** The harness of a thread, and the call that opens it. */
interface HarnessPlace {
  /** The call, for messages. */
  readonly call: string;
  /** The config that the harness was given. */
  readonly config: ResolvedConfig | ConfigSettings;
  readonly host: Host;
}

/**
 * The config of one thread: a whole one as it is, or settings over those of its harness. Throws the
 * errors of `settleConfig`, and `HarnessError` `invalid_options` if the harness has a whole config:
 * what it was made of is no longer known.
 */
export async function settleThreadConfig(
  own: ResolvedConfig | ConfigSettings,
  { call, config, host }: HarnessPlace,
): Promise<ResolvedConfig> {
  if ("origins" in own) return own;
  if (!("origins" in config)) return settleConfig({ ...config, ...own, keys: { ...config.keys, ...own.keys } }, host);
  const message = `${call}: config must be complete, like the harness's own: loadConfig of @unroll/config returns one.`;
  throw new HarnessError("invalid_options", message);
}

/** A list is one value; each key of an object is a key of its own. */
function toOverrides(keys: ConfigKeys, path: readonly string[]): readonly ConfigOverride[] {
  return Object.entries(keys).flatMap(([key, value]: readonly [string, unknown]): readonly ConfigOverride[] => {
    const inner = [...path, key];
    if (isKeys(value)) return toOverrides(value, inner);
    const parts: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (parts.some((part) => !/^(?:string|number|boolean)$/.test(typeof part)))
      throw new HarnessError(
        "invalid_options",
        `config.keys: ${inner.join(".")} has to be text, a number, true or false, or a list of these.`,
      );
    return [{ key: inner.join("."), value: JSON.stringify(value), origin: "config.keys" }];
  });
}

function isKeys(value: unknown): value is ConfigKeys {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Settings of a program. Everything else is what `unroll` would use in this folder: its files
 * (`config.toml`), its login, the variables of the host.
 */
export interface ConfigSettings {
  readonly model?: string;
  /** A table of `[profiles]`, or `NAME.config.toml` of `codexHome`. */
  readonly profile?: string;
  /** Relative to the host's folder. Absent: that folder. */
  readonly cwd?: string;
  readonly sandboxMode?: SandboxMode;
  readonly approvalPolicy?: ApprovalPolicy;
  /** Further folders that commands may write; relative to `cwd`. */
  readonly writableFolders?: readonly string[];
  /**
   * The folder of `config.toml`, `auth.json`, rules and skills; absolute, and need not exist.
   * Absent: `$CODEX_HOME`, or `~/.codex`.
   */
  readonly codexHome?: string;
  /** Any key of `config.toml`, dotted or nested: `{ model_provider: "local", "model_providers.local.base_url": url }`. */
  readonly keys?: ConfigKeys;
}

/** Keys of `config.toml` with their values; an object is a table. */
export interface ConfigKeys {
  readonly [key: string]: string | number | boolean | readonly (string | number | boolean)[] | ConfigKeys;
}
