import { ConfigError } from "../fault/config-error.ts";
import type { CombinedLayers } from "./combine-layers.ts";
import { createEmptyLayer, type ConfigLayer } from "./config-layer.ts";
import { formatKey } from "../toml/key-path.ts";

/** The table `[profiles.NAME]` as a layer. Throws `ConfigError` (`profile_unknown`) where there is none of that name. */
export function createProfileLayer({ table, origins }: CombinedLayers, name: string | undefined): ConfigLayer {
  if (name === undefined) return createEmptyLayer();
  const profiles = table.profiles ?? {};
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined) {
    const names = Object.keys(profiles).map((known) => JSON.stringify(known));
    throw new ConfigError({
      code: "profile_unknown",
      message: `there is no profile ${JSON.stringify(name)}: ${names.length === 0 ? "add" : `use ${names.join(" or ")}, or add`} [${formatKey(["profiles", name])}] to config.toml.`,
      key: "profile",
      origin: table.profile === name ? origins.get("profile") : { type: "argument", name: "--profile" },
    });
  }
  return {
    table: { ...profile },
    locate(path) {
      const origin = origins.get(formatKey(["profiles", name, ...path]));
      if (origin === undefined) throw new Error(`No origin of ${formatKey(path)} in profile ${name}.`);
      return origin;
    },
    warnings: [],
  };
}
