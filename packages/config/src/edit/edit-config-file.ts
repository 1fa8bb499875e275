import { isDeepStrictEqual } from "node:util";
import { ParseError } from "toml-eslint-parser";
import { ConfigError } from "../fault/config-error.ts";
import { readConfigText } from "../layer/read-config-file.ts";
import { parseToml } from "../toml/parse-toml.ts";
import { isTable, type Table } from "../toml/table.ts";
import { changeFile } from "./change-file.ts";

/** One change, told twice: what it makes of the keys, and of the text. Null: there is nothing to change. */
export type ConfigEdit = (before: { readonly table: Table; readonly text: string }) => ConfigEditOutcome | null;

interface ConfigEditOutcome {
  readonly table: Table;
  readonly text: string;
}

/**
 * Changes a config file in place, or makes one that only its owner can read. One writer at a time; nothing is written unless
 * the new text says exactly what it should. Returns whether there was something to change. Throws `ConfigError`:
 * `toml_invalid`, `file_unreadable`, `file_locked`, `file_unwritable`, `edit_impossible`.
 */
export function editConfigFile(path: string, edit: ConfigEdit): Promise<boolean> {
  return changeFile(path, async () => {
    const content = (await readConfigText(path)) ?? "";
    const mark = content.startsWith("\uFEFF") ? "\uFEFF" : "";
    const text = content.slice(mark.length);
    const outcome = tryEdit(edit, { table: parseToml(text, path), text });
    if (outcome === null) return null;
    if (outcome !== "impossible" && says(outcome)) return mark + outcome.text;
    throw new ConfigError({
      code: "edit_impossible",
      message: `${path} is written in a way that only a person can change safely (an inline table, say): edit it by hand. Nothing was changed.`,
      file: path,
    });
  });
}

/** Where the parser that keeps places takes less than the one that reads, nothing is written. */
function tryEdit(edit: ConfigEdit, before: ConfigEditOutcome): ConfigEditOutcome | null | "impossible" {
  try {
    return edit(before);
  } catch (error) {
    if (error instanceof ParseError) return "impossible";
    throw error;
  }
}

function says({ text, table }: ConfigEditOutcome): boolean {
  try {
    return isDeepStrictEqual(withoutEmpty(parseToml(text, "")), withoutEmpty(table));
  } catch {
    return false;
  }
}

/** A parent without children is there or not, by how it is written; it means the same. */
function withoutEmpty(table: Table): Table {
  const entries = Object.entries(table).map(
    ([key, value]) => [key, isTable(value) ? withoutEmpty(value) : value] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => !isTable(value) || Object.keys(value).length > 0));
}
