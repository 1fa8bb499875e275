import { checkLayer } from "./check-layer.ts";
import { locateKeys } from "../toml/locate-keys.ts";
import { parseToml } from "../toml/parse-toml.ts";
import type { ConfigLayer } from "./config-layer.ts";
import { warnOfSecrets } from "./warn-of-secrets.ts";
import { formatKey, type KeyPath } from "../toml/key-path.ts";
import type { Origin } from "../fault/origin.ts";

/** Throws `ConfigError` with file, line and column for text that is not TOML, and for a wrong value. */
export function parseConfigFile(text: string, path: string): Promise<ConfigLayer> {
  const table = parseToml(text, path);
  const offsets = locateKeys(text);
  const place = createPlaceFinder(text);
  const locate = (key: KeyPath): Origin => {
    let offset: number | undefined;
    for (let length = key.length; length > 0 && offset === undefined; length -= 1) {
      offset = offsets.get(formatKey(key.slice(0, length)));
    }
    return { type: "file", path, ...place(offset ?? 0) };
  };
  return checkLayer({ table, locate });
}

/** The same for a file that others have, too: credentials in it are warned of. */
export async function parseSharedFile(text: string, path: string): Promise<ConfigLayer> {
  const layer = await parseConfigFile(text, path);
  return { ...layer, warnings: [...layer.warnings, ...warnOfSecrets(layer)] };
}

/** Offset to line and column, both from 1. The lines are counted once: each key of a file is asked for. */
function createPlaceFinder(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  return (offset) => {
    let [line, end] = [1, starts.length];
    while (line < end) {
      const middle = Math.ceil((line + end) / 2);
      if ((starts[middle - 1] ?? 0) <= offset) line = middle;
      else end = middle - 1;
    }
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}
