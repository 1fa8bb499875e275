import type { LocalProviderId } from "./keys/config-table.ts";

/** Everything a configuration is made of. Read by the app; this package looks at nothing else but the files named here. */
export interface ConfigSources {
  /** Absolute; see `resolveCodexHome`. Need not exist. */
  readonly codexHome: string;
  /** Absolute: the file of whoever runs the machine, below the user's. Absent: there is none. */
  readonly systemFile?: string | undefined;
  /** Passes over the user's own `config.toml`. */
  readonly ignoreUserFile?: boolean | undefined;
  /** Takes the project for one that the user trusts. */
  readonly trustProject?: boolean | undefined;
  /** Makes errors of warnings about keys and values (`--strict-config`); keys that are known and not used stay warnings. */
  readonly strict?: boolean | undefined;
  /** Absolute: where the command was started. */
  readonly cwd: string;
  readonly env: Environment;
  /** In the order of the command line; a later one wins. */
  readonly overrides: readonly ConfigOverride[];
  readonly flags: ParsedFlags;
  /** `-p NAME`: the profile to use; absent: the one that the key `profile` names, or none. */
  readonly profile?: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** One `-c key=value`. */
export interface ConfigOverride {
  /** Dotted; parts quoted where TOML would quote them. */
  readonly key: string;
  /** A TOML value; what does not parse as one is a string, as it stands. */
  readonly value: string;
  /** The option that the person wrote, for messages: `-c`, `--oss`, … */
  readonly origin: string;
}

/** An option that stands for a key. */
export interface KeyOption {
  /** Dotted, without quotes. */
  readonly key: string;
  /** Of the type that the key takes; undefined says nothing. */
  readonly value: unknown;
  /** What the person wrote, for messages: `--model`. */
  readonly origin: string;
}

/** Options that the app has parsed already. They win over everything; an absent one says nothing. */
export interface ParsedFlags {
  /** A later one wins. */
  readonly keys?: readonly KeyOption[] | undefined;
  /** Run a model on this machine, by the provider that `oss_provider` names. */
  readonly oss?: boolean | undefined;
  /** The same, by this provider. */
  readonly localProvider?: LocalProviderId | undefined;
  /** The working folder of the thread; relative to `ConfigSources.cwd`. */
  readonly cwd?: string | undefined;
  /** Further writable folders; relative to the thread's working folder. */
  readonly addDirs?: readonly string[] | undefined;
}
