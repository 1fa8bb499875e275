import { parse } from "smol-toml";
import { findSchema, listKeys, takesFreeNames } from "../keys/config-schema.ts";
import { type KeyPath, isTable, type Table } from "../toml/table.ts";

/** Names that no table may hold, because they would be taken for the object's own. */
const unsafeNames: readonly string[] = ["__proto__", "constructor"];

/**
 * Parses a dotted key as users write it. Parts need quotes where TOML wants them. Clients of the
 * Codex CLI leave them out (`projects./tmp/a.b.trust_level`, `mcp_servers.git hub.command`,
 * `models.gpt-5.5.efforts`); then a free name is as long as the keys behind it allow. Null: not a
 * key.
 */
export function parseKey(text: string): KeyPath | null {
  const path = parseTomlKey(text);
  if (path !== null && findSchema(path) !== null) return path;
  return matchKeys(splitAtDots(text), []) ?? path;
}

function parseTomlKey(text: string): KeyPath | null {
  try {
    return findSinglePath(parse(`${text} = 0`, { unsafeKeyBehaviour: "throw" }));
  } catch {
    return null;
  }
}

/** The one path in a table of nothing but that path; null where there are more. */
function findSinglePath(table: Table): KeyPath | null {
  const [key, ...others] = Object.keys(table);
  if (key === undefined || others.length > 0) return null;
  const value = table[key];
  const rest = isTable(value) ? findSinglePath(value) : [];
  return rest && [key, ...rest];
}

/** Not at those in quotes, which are kept. */
function splitAtDots(text: string): readonly string[] {
  const parts = text.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^.])+|(?<=\.|^)(?=\.|$)/g) ?? [];
  return parts.map((part) => parseTomlKey(part)?.[0] ?? part);
}

/** `path` is already known; the parts continue it. Null: they do not lead to a key. */
function matchKeys(parts: readonly string[], path: KeyPath): KeyPath | null {
  if (parts.length === 0) return path;
  if (!takesFreeNames(path)) {
    const [key = "", ...rest] = parts;
    return listKeys(path).includes(key) ? matchKeys(rest, [...path, key]) : null;
  }
  // First names with a key behind them, the longest first; then all as the name.
  const lengths = [...Array.from(parts.keys()).toReversed().slice(0, -1), parts.length];
  for (const length of lengths) {
    const name = parts.slice(0, length).join(".");
    if (name === "" || unsafeNames.includes(name)) continue;
    const found = matchKeys(parts.slice(length), [...path, name]);
    if (found !== null && findSchema(found) !== null) return found;
  }
  return null;
}
