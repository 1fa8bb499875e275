import { parse } from "smol-toml";
import { ConfigError } from "../config-error.ts";
import type { ConfigOverride } from "../config-sources.ts";
import { isTable, type Table } from "../layer/config-layer.ts";
import { nestValue } from "../layer/table-path.ts";

/** Turns `a.b=value` into the table `{ a: { b: value } }`. A value that is not TOML is a string, as it stands. */
export function parseOverride({ key, value, origin }: ConfigOverride): Table {
  const skeleton = parseOrUndefined(`${key} = 0`);
  const path = skeleton && singlePath(skeleton);
  if (path === undefined) {
    throw new ConfigError({
      code: "override_invalid",
      message: `${JSON.stringify(key)} is not a key: expected a name, or names joined by dots like model_providers.local.base_url.`,
      origin: { type: "argument", name: origin },
    });
  }
  return nestValue(path, parseValue(value));
}

function parseValue(text: string): unknown {
  const table = parseOrUndefined(`value = ${text}`);
  return table && Object.keys(table).length === 1 ? table["value"] : text;
}

function parseOrUndefined(text: string): Table | undefined {
  try {
    return parse(text, { unsafeKeyBehaviour: "throw" });
  } catch {
    return undefined;
  }
}

/** The one path in a table of nothing but that path; undefined where there are more. */
function singlePath(table: Table): string[] | undefined {
  const [key, ...others] = Object.keys(table);
  if (key === undefined || others.length > 0) return undefined;
  const value = table[key];
  const rest = isTable(value) ? singlePath(value) : [];
  return rest && [key, ...rest];
}
