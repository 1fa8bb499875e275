import type { ConfigSources } from "../config-sources.ts";
import { nestValue } from "../toml/table-path.ts";
import type { ConfigLayer } from "./config-layer.ts";

/**
 * One layer for each `-c key=value`, then one for each option that stands for a key. Throws `ConfigError` for a key that is none, or a
 * wrong value. Most starts have none of them, and do not load what reads them.
 */
export async function createArgumentLayers({ overrides, flags }: ConfigSources): Promise<readonly ConfigLayer[]> {
  const keys = (flags.keys ?? []).filter(({ value }) => value !== undefined);
  const typed = overrides.length === 0 ? [] : (await import("./parse-override.ts")).parseOverrides(overrides);
  if (keys.length === 0) return typed;
  const { checkLayer } = await import("./check-layer.ts");
  const options = keys.map(({ key, value, origin }) =>
    checkLayer({ table: nestValue(key.split("."), value), locate: () => ({ type: "argument", name: origin }) }),
  );
  return [...typed, ...options];
}
