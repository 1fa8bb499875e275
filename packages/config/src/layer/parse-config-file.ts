import { checkLayer } from "./check-layer.ts";
import { locateKeys } from "../toml/locate-keys.ts";
import { parseToml } from "../toml/parse-toml.ts";
import type { ConfigLayer } from "./config-layer.ts";
import { formatKey, type KeyPath } from "../toml/key-path.ts";
import type { Origin } from "../fault/origin.ts";

/** Throws `ConfigError` with file, line and column for text that is not TOML, and for a wrong value. */
export function parseConfigFile(text: string, path: string): ConfigLayer {
  const table = parseToml(text, path);
  const offsets = locateKeys(text);
  const locate = (key: KeyPath): Origin => {
    const known = key.flatMap((_, index) => offsets.get(formatKey(key.slice(0, index + 1))) ?? []);
    const before = text.slice(0, known.at(-1) ?? 0);
    return { type: "file", path, line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
  };
  return checkLayer({ table, locate });
}
