import { checkLayer } from "./check-layer.ts";
import { type KeyPlace, locateKeys } from "../toml/locate-keys.ts";
import { createPositionFinder } from "../toml/position.ts";
import { parseToml } from "../toml/parse-toml.ts";
import type { ConfigLayer } from "./config-layer.ts";
import { warnOfSecrets } from "./warn-of-secrets.ts";
import type { KeyPath } from "../toml/key-path.ts";
import type { Origin } from "../fault/origin.ts";

/** Throws `ConfigError` with file, line and column for text that is not TOML, and for a wrong value. */
export function parseConfigFile(text: string, path: string): ConfigLayer {
  const table = parseToml(text, path);
  const top = locateKeys(text);
  const find = createPositionFinder(text);
  const locate = (key: KeyPath): Origin => ({ type: "file", path, ...find(findOffset(top, key)) });
  return checkLayer({ table, locate });
}

/** The same for a file that others have, too: credentials in it are warned of. */
export function parseSharedFile(text: string, path: string): ConfigLayer {
  const layer = parseConfigFile(text, path);
  return { ...layer, warnings: [...layer.warnings, ...warnOfSecrets(layer)] };
}

/** Of the key, or of the nearest table around it. */
function findOffset(top: KeyPlace, path: KeyPath): number {
  let place = top;
  for (const key of path) {
    const next = place.below?.get(key);
    if (next === undefined) break;
    place = next;
  }
  return place.offset;
}
