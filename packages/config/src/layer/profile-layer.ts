import { join } from "node:path";
import { ConfigError, type Origin } from "../config-error.ts";
import { formatKey, type KeyPath, valueAt } from "../toml/table.ts";
import { combineTables } from "./combine-layers.ts";
import type { ConfigLayer } from "./config-layer.ts";
import { readExistingConfigFile } from "./read-config-file.ts";

/** The profile that is in use. */
export interface ReadProfile {
  /** The table, then the file. */
  readonly layers: readonly ConfigLayer[];
  /** Null: it has none. */
  readonly file: string | null;
}

export interface ProfileOptions {
  /** As in `ConfigSources.profile`; it wins over the key `profile`. Null: none is requested. */
  readonly asked: string | null;
  readonly codexHome: string;
}

/**
 * The table `[profiles.NAME]` of the layers that may have one, and the file `NAME.config.toml` of `codexHome`, where the Codex CLI (0.169) has
 * its profiles. Throws `ConfigError` (`profile_unknown`) where there is neither of that name, and what `readConfigFile` throws.
 */
export async function readProfile(
  layers: readonly ConfigLayer[],
  { asked, codexHome }: ProfileOptions,
): Promise<ReadProfile> {
  const table = combineTables(layers);
  const name = asked ?? table.profile ?? null;
  if (name === null) return { layers: [], file: null };
  const path = join(codexHome, `${name}.config.toml`);
  const file = isFileName.test(name) ? await readExistingConfigFile(path) : null;
  const ofTable = findTable(layers, name);
  if (ofTable === null && file === null) throw new ConfigError(describeUnknown(layers, name));
  const ofFile = file === null ? [] : [takeOutProfiles(file)];
  return { layers: [...(ofTable === null ? [] : [ofTable]), ...ofFile], file: file === null ? null : path };
}

function findTable(layers: readonly ConfigLayer[], name: string): ConfigLayer | null {
  const profiles = combineTables(layers).profiles ?? {};
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined) return null;
  return {
    table: { ...profile },
    locate(path) {
      const origin = findOrigin(layers, ["profiles", name, ...path]);
      if (origin === null) throw new Error(`No origin of ${formatKey(path)} in profile ${name}.`);
      return origin;
    },
    warnings: [],
  };
}

const isFileName = /^[\w-][\w.-]*$/;

/** A profile cannot choose profiles. */
function takeOutProfiles(layer: ConfigLayer): ConfigLayer {
  const { profile: _profile, profiles: _profiles, ...table } = layer.table;
  return { ...layer, table };
}

function describeUnknown(layers: readonly ConfigLayer[], name: string): ConstructorParameters<typeof ConfigError>[0] {
  const { profile, profiles = {} } = combineTables(layers);
  const names = Object.keys(profiles).map((known) => JSON.stringify(known));
  return {
    code: "profile_unknown",
    message: `there is no profile ${JSON.stringify(name)}: ${names.length === 0 ? "add" : `use ${names.join(" or ")}, or add`} [${formatKey(["profiles", name])}] to config.toml${isFileName.test(name) ? `, or write ${name}.config.toml beside it` : ""}.`,
    key: "profile",
    origin: profile === name ? (findOrigin(layers, ["profile"]) ?? undefined) : { type: "argument", name: "--profile" },
  };
}

function findOrigin(layers: readonly ConfigLayer[], path: KeyPath): Origin | null {
  return layers.findLast((layer) => valueAt({ ...layer.table }, path) !== undefined)?.locate(path) ?? null;
}
