import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ConfigError } from "../fault/config-error.ts";
import { isTable, type Table } from "../toml/table.ts";
import { readConfigText } from "../layer/read-config-file.ts";
import { parseToml } from "../toml/parse-toml.ts";

/** One change, told twice: what it makes of the keys, and of the text. Null: there is nothing to change. */
export type ConfigEdit = (before: { readonly table: Table; readonly text: string }) => ConfigEditOutcome | null;

interface ConfigEditOutcome {
  readonly table: Table;
  readonly text: string;
}

/**
 * Changes a config file in place, or makes one that only its owner can read. Nothing is written unless the new text says
 * exactly what it should. Returns whether there was something to change. Throws `ConfigError`: `toml_invalid`,
 * `file_unreadable`, `edit_impossible`.
 */
export async function editConfigFile(path: string, edit: ConfigEdit): Promise<boolean> {
  const content = (await readConfigText(path)) ?? "";
  const mark = content.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = content.slice(mark.length);
  const outcome = edit({ table: parseToml(text, path), text });
  if (outcome === null) return false;
  if (!says(outcome)) {
    throw new ConfigError({
      code: "edit_impossible",
      message: `${path} is written in a way that only a person can change safely (an inline table, say): edit it by hand. Nothing was changed.`,
      file: path,
    });
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await writeFileAtomic(path, mark + outcome.text, content === "" ? { mode: 0o600 } : {});
  return true;
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
