import type { KindName } from "./kinds.ts";

/** All there is to say about one key of `config.toml`, as literal data. Whatever reads, checks, writes or describes keys goes by it. */
export interface KeyDeclaration {
  /** What a value must be: the name of a kind, or the words to choose from. */
  readonly kind: KindName | readonly string[];
  /** The value where nothing sets the key. Absent: there is none, or it depends on other keys. */
  readonly default?: unknown;
  /** What a default depends on, for people. Markdown. */
  readonly otherwise?: string;
  /** What the key does, for people. Markdown. */
  readonly text: string;
  /**
   * `light`: nothing that the model may reach, nothing that is sent elsewhere and nothing that is kept depends on it, so a wrong value in
   * a file is left out, with a warning. `guard`: it holds the model back, so a misspelt name of it is an error. Absent: a wrong value is
   * an error, a misspelt name a warning.
   */
  readonly weight?: "light" | "guard";
  /** `user`: a project's own config cannot set it. Absent: every layer can. All keys of a table at the top agree. */
  readonly by?: "user";
  /** Of a key of a model: a provider's own list of models may say it. Absent: it is not taken from there. */
  readonly listed?: true;
  /** Whether its table is of no use without it. Absent: no. */
  readonly required?: true;
  /** A flag of the command line that sets it. Absent: there is none but `-c`. */
  readonly flag?: KeyFlag;
  /** The member of `ResolvedConfig`, or of its provider or server, that holds the value. Absent: a resolver makes something of it. */
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
  readonly table?: "model_providers" | "mcp_servers" | "models";
  /** Of all of its keys. */
  readonly by?: "user";
  /** By dotted name, from that table on; `*` stands for a free name. In the order of the page. */
  readonly keys: Readonly<Record<string, KeyDeclaration>>;
  /** Markdown behind the keys. */
  readonly outro?: string;
}
