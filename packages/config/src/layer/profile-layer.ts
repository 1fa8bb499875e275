import { ConfigError } from "../fault/config-error.ts";
import type { Origin } from "../fault/origin.ts";
import { combineTables } from "./combine-layers.ts";
import { createEmptyLayer, type ConfigLayer } from "./config-layer.ts";
import { formatKey, type KeyPath } from "../toml/key-path.ts";
import { valueAt } from "../toml/table-path.ts";

/** The table `[profiles.NAME]` of the layers that may have one, as a layer of its own. `asked` stands before the key `profile`. Throws `ConfigError` (`profile_unknown`) where there is none of that name. */
export function createProfileLayer(layers: readonly ConfigLayer[], asked: string | undefined): ConfigLayer {
  const table = combineTables(layers);
  const name = asked ?? table.profile;
  if (name === undefined) return createEmptyLayer();
  const profiles = table.profiles ?? {};
  const find = (path: KeyPath): Origin | null =>
    layers.findLast((layer) => valueAt({ ...layer.table }, path) !== undefined)?.locate(path) ?? null;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined) {
    const names = Object.keys(profiles).map((known) => JSON.stringify(known));
    throw new ConfigError({
      code: "profile_unknown",
      message: `there is no profile ${JSON.stringify(name)}: ${names.length === 0 ? "add" : `use ${names.join(" or ")}, or add`} [${formatKey(["profiles", name])}] to config.toml.`,
      key: "profile",
      origin: table.profile === name ? (find(["profile"]) ?? undefined) : { type: "argument", name: "--profile" },
    });
  }
  return {
    table: { ...profile },
    locate(path) {
      const origin = find(["profiles", name, ...path]);
      if (origin === null) throw new Error(`No origin of ${formatKey(path)} in profile ${name}.`);
      return origin;
    },
    warnings: [],
  };
}
