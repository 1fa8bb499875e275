import type { KeyFlag } from "./key-declaration.ts";
import { keysByName } from "./config-schema.ts";
import { kinds, showKind, toSchema } from "./kinds.ts";

/** A key of `config.toml` for who writes one: on a command line, or by a flag of its own. */
export interface ConfigKey {
  /** Dotted; `*` stands for a free name. */
  readonly name: string;
  /** What a value must be, for people, in Markdown. */
  readonly shown: string;
  /** The words to choose from; null: any value of its kind. */
  readonly choices: readonly string[] | null;
  /** Of a number that stands for a time: its unit. Null: no time, or ms. */
  readonly unit: "seconds" | null;
  readonly isNumber: boolean;
  /** The flag that sets it; null: it has none. */
  readonly flag: KeyFlag | null;
}

/** Every key, in the order of docs/config.md. */
export function listConfigKeys(): readonly ConfigKey[] {
  return Array.from(keysByName().values(), ({ name, kind, flag = null }) => {
    const { type = null, enum: words, anyOf } = toSchema(kind);
    const choices = words ?? anyOf?.[0].enum ?? (type === "boolean" ? ["true", "false"] : null);
    const unit = typeof kind === "string" ? (kinds[kind].unit ?? null) : null;
    return { name, shown: showKind(kind), choices, unit, isNumber: type === "integer" || type === "number", flag };
  });
}
