import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";

/**
 * What a program sets of the config; the rest is as `unroll` would have it in this folder: its files (`config.toml`), its
 * login, the variables of the host.
 */
export interface ConfigSettings {
  readonly model?: string;
  /** A table of `[profiles]`, or `NAME.config.toml` of `codexHome`. */
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
