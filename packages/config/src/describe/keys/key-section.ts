/** What a person is told of a key: in docs/config.md, in the JSON Schema, by `unroll config explain`. */
export interface KeyDoc {
  /** Markdown; empty where the name says it. */
  readonly text: string;
  /** Where the schema says too little: a path, the name of a variable. */
  readonly type?: string;
  /** Where there is none in `defaults`: what it depends on. */
  readonly otherwise?: string;
}

export interface KeySection {
  readonly title: string;
  /** Markdown between the title and the table; empty for none. */
  readonly intro: string;
  /** The table of free names that all keys are in, and what its names are called; null: the keys are at the top. */
  readonly table: "model_providers" | "mcp_servers" | "models" | null;
  /** Dotted key from that table on, `*` for a free name. In the order of the page. */
  readonly keys: Readonly<Record<string, KeyDoc>>;
  /** Markdown behind the table. */
  readonly outro: string;
}

/** How values are told that the schema only knows as text. */
export const path = "path";
export const paths = "paths";
export const variable = "name of a variable";
export const patterns = "patterns";
