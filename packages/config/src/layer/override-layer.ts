import type { ConfigOverride } from "../config-sources.ts";
import type { ConfigLayer } from "./config-layer.ts";

/** One layer for each `-c key=value`. Throws `ConfigError` for a key that is none, or a wrong value. */
export async function createOverrideLayers(overrides: readonly ConfigOverride[]): Promise<readonly ConfigLayer[]> {
  if (overrides.length === 0) return [];
  const [{ parseOverride, warnOfOpenQuote }, { checkLayer }] = await Promise.all([
    import("./parse-override.ts"),
    import("./check-layer.ts"),
  ]);
  return overrides.map((override) => {
    const layer = checkLayer(parseOverride(override));
    return { ...layer, warnings: [...layer.warnings, ...warnOfOpenQuote(override)] };
  });
}
