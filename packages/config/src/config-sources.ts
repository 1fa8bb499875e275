import type { LocalProviderId } from "./keys/config-table.ts";

/**
 * Everything that a configuration is made of. The program reads these values; this package reads
 * only the files named here.
 */
export interface ConfigSources {
  /** Absolute; see `resolveCodexHome`. Need not exist. */
  readonly codexHome: string;
  /** Absolute path of the administrator's file; your own file overrides it. Absent: there is none. */
  readonly systemFile?: string | undefined;
  /** Ignore the user's own `config.toml`. */
  readonly ignoreUserFile?: boolean | undefined;
  /** Treat the project as one that the user trusts. */
  readonly trustProject?: boolean | undefined;
  /**
   * Throw for warnings about keys and values (`--strict-config`). A key that is known but unused
   * stays a warning.
   */
  readonly strict?: boolean | undefined;
  /** Absolute path of the folder where the command was started. */
  readonly cwd: string;
  readonly env: Environment;
  /** In the order of the command line; a later one wins. */
  readonly overrides: readonly ConfigOverride[];
  readonly flags: ParsedFlags;
  /** `-p NAME`: the profile to use. Absent: the one that the key `profile` names, or none. */
  readonly profile?: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** One `-c key=value`. */
export interface ConfigOverride {
  /** Dotted key; parts are quoted where TOML would quote them. */
  readonly key: string;
  /** A TOML value. Text that is not TOML counts as a string. */
  readonly value: string;
  /** The option that the user wrote, for messages: `-c` or `--oss`. */
  readonly origin: string;
}

/** A command-line option that sets a key. */
export interface KeyOption {
  /** Dotted, without quotes. */
  readonly key: string;
  /** A value of the key's type; undefined: the option was not given. */
  readonly value: unknown;
  /** The option as written, for messages: `--model`. */
  readonly origin: string;
}

/** Options that the program has already parsed. They win over everything; an absent one changes nothing. */
export interface ParsedFlags {
  /** A later one wins. */
  readonly keys?: readonly KeyOption[] | undefined;
  /** Run a model on this machine, with the provider that `oss_provider` names. */
  readonly oss?: boolean | undefined;
  /** Run a model on this machine, with this provider. */
  readonly localProvider?: LocalProviderId | undefined;
  /** The working folder of the thread; relative to `ConfigSources.cwd`. */
  readonly cwd?: string | undefined;
  /** Further writable folders; relative to the thread's working folder. */
  readonly addDirs?: readonly string[] | undefined;
  /** Further hosts that commands may reach. */
  readonly allowHosts?: readonly string[] | undefined;
}
