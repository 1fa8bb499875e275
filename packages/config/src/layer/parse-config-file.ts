import { findSecrets, type FoundSecret, isCredential } from "../check/find-secrets.ts";
import { type Origin, type ConfigWarning, formatOrigin } from "../config-error.ts";
import { type KeyPlace, locateKeys } from "../toml/locate-keys.ts";
import { parseToml, createPositionFinder } from "../toml/parse-toml.ts";
import { type KeyPath, formatKey } from "../toml/table.ts";
import { checkLayer } from "./check-layer.ts";
import type { ConfigLayer } from "./config-layer.ts";

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

/** The offset of the key, or of the closest table around it. */
function findOffset(top: KeyPlace, path: KeyPath): number {
  let place = top;
  for (const key of path) {
    const next = place.below?.get(key);
    if (next === undefined) break;
    place = next;
  }
  return place.offset;
}

/** Credentials in a file that is shared with everybody who has the repository. */
function warnOfSecrets(layer: ConfigLayer): readonly ConfigWarning[] {
  return findSecrets(layer.table)
    .filter(isSecret)
    .map(({ path }) => {
      const key = formatKey(path);
      const origin = layer.locate(path);
      const message = `${formatOrigin(origin)}: ${key} looks like a credential, and everyone with the project can read its config. Remove it, revoke it where it was issued, and name an environment variable instead.`;
      return { code: "secret_in_project", message, key, origin };
    });
}

function isSecret({ path, how, text }: FoundSecret): boolean {
  // services like to put keys into the queries of their addresses
  const { search = "", username = "", password = "" } = (how === "query" && URL.parse(text)) || {};
  return (
    how === "value" || search + username + password !== "" || (how === "names" && isCredential(path.at(-1) ?? "", text))
  );
}
