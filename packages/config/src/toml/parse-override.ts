import { parse } from "smol-toml";
import { ConfigError } from "../fault/config-error.ts";
import type { ConfigOverride } from "../config-sources.ts";
import { isTable, type Table } from "./table.ts";
import { nestValue } from "./table-path.ts";

/** Turns `a.b=value` into the table `{ a: { b: value } }`. A value that is not TOML is a string, as it stands. */
export function parseOverride({ key, value, origin }: ConfigOverride): Table {
  const skeleton = parseOrNull(`${key} = 0`);
  const path = skeleton && findSinglePath(skeleton);
  if (path === null) {
    throw new ConfigError({
      code: "override_invalid",
      message: `${JSON.stringify(key)} is not a key: expected a name, or names joined by dots like model_providers.local.base_url.`,
      origin: { type: "argument", name: origin },
    });
  }
  return nestValue(path, parseValue(value));
}

function parseValue(text: string): unknown {
  const table = parseOrNull(`value = ${text}`);
  return table && Object.keys(table).length === 1 ? table["value"] : text;
}

function parseOrNull(text: string): Table | null {
  try {
    return parse(text, { unsafeKeyBehaviour: "throw" });
  } catch {
    return null;
  }
}

/** The one path in a table of nothing but that path; null where there are more. */
function findSinglePath(table: Table): readonly string[] | null {
  const [key, ...others] = Object.keys(table);
  if (key === undefined || others.length > 0) return null;
  const value = table[key];
  const rest = isTable(value) ? findSinglePath(value) : [];
  return rest && [key, ...rest];
}
