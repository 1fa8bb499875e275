import type { KindName } from "./kinds.ts";

/** Everything about one key of `config.toml`, as literal data. All code that reads, checks, writes or describes keys uses it. */
export interface KeyDeclaration {
  /** The allowed values: the name of a kind, or a list of words. */
  readonly kind: KindName | readonly string[];
  /** The value where nothing sets the key. Absent: there is none, or it depends on other keys. */
  readonly default?: unknown;
  /** The source of a default that depends on something, for users. Markdown. */
  readonly otherwise?: string;
  /** The key's effect, for users. Markdown. */
  readonly text: string;
  /**
   * `light`: it does not affect what the model may reach, what is sent elsewhere or what is saved, so a wrong value in a file is
   * ignored with a warning. No key whose name says limit is light. `guard`: it restricts the model, so a misspelt name is an error. Absent: a wrong value is an error, a
   * misspelt name a warning.
   */
  readonly weight?: "light" | "guard";
  /** `user`: a project's own config cannot set it. Absent: every layer can. */
  readonly by?: "user";
  /** A key of a model that a provider's own list of models may set. Absent: it is not read from there. */
  readonly listed?: true;
  /** Its table needs it. Absent: it does not. */
  readonly required?: true;
  /** A flag of the command line that sets it. Absent: only `-c` does. */
  readonly flag?: KeyFlag;
  /** The member of `ResolvedConfig`, or of its provider or server, that holds the value. Absent: a resolver uses it. */
  readonly member?: string;
}

/** A flag that sets a key. */
export interface KeyFlag {
  /** `-s, --sandbox <mode>`; without `<…>` it takes no value. */
  readonly names: string;
  /** For `--help`. */
  readonly text: string;
  /** The commands that have it. `sandbox`: all that run commands; `settings`: all that go by the whole config; `run`: all that run turns. */
  readonly of: "sandbox" | "settings" | "run";
  /** The value that it stands for where it takes none. */
  readonly value?: string;
}

/** Keys that stand together on the page. */
export interface KeySection {
  readonly title: string;
  /** Markdown between the title and the keys. */
  readonly intro?: string;
  /** The table of free names that all keys are in. Absent: they are at the top. */
  readonly table?: "model_providers" | "mcp_servers" | "models" | "permissions";
  /** The layer that may set all of its keys. */
  readonly by?: "user";
  /** By dotted name, from that table on; `*` stands for a free name. In the order of the page. */
  readonly keys: Readonly<Record<string, KeyDeclaration>>;
  /** Markdown behind the keys. */
  readonly outro?: string;
}
