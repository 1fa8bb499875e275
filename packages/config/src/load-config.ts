import type { ConfigSources } from "./config-sources.ts";
import { modelKeys } from "./keys/model-keys.ts";
import { readLayers, refuseWarnings, type ReadLayers } from "./layer/read-layers.ts";
import { builtInCatalogue } from "./models/built-in-catalogue.ts";
import { findModel } from "./models/find-model.ts";
import type { ModelCatalogue, ModelLayer } from "./models/model-info.ts";
import { resolveConfig } from "./resolve/resolve-config.ts";
import { resolvePath } from "./resolve/resolve-context.ts";
import type { ResolvedConfig } from "./resolved-config.ts";

/**
 * Reads the configuration and resolves it. Layers, later ones win: built in, `systemFile`,
 * `$CODEX_HOME/config.toml`, trusted project files, the profile, `-c`, flags. Project files are the
 * `.codex/config.toml` in each folder from the project's root down to the working folder; they are
 * read if you trust the project and they have not changed since. A missing or empty file is fine.
 * Throws `ConfigError` for anything that cannot be used; settings without effect are in `warnings`.
 */
export async function loadConfig(sources: ConfigSources): Promise<ResolvedConfig> {
  const read = await readLayers(sources);
  const config = resolveConfig({ ...read, catalogue: await openCatalogue(read) });
  if (sources.strict === true) refuseWarnings(config.warnings);
  return config;
}

/** The values that the catalogue is read from. */
type CatalogueSources = Pick<ReadLayers, "table" | "sources" | "origins" | "cwd">;

/**
 * Everything known about models: the built-in catalogue, the file of `model_catalog_json` and
 * `[models.NAME]`. If none of them knows the model in use, the provider's last list is added.
 * Throws `ConfigError` (`model_catalogue_invalid`) for a file that cannot be used.
 */
export async function openCatalogue(read: CatalogueSources): Promise<ModelCatalogue> {
  const { table, sources } = read;
  const { keys } = modelKeys;
  const { model = keys.model.default, model_provider: provider = keys.model_provider.default } = table;
  const file = table.model_catalog_json;
  const own: readonly ModelLayer[] = [
    ...(file === undefined ? [] : [await readFileLayer(read, file)]),
    ...(table.models === undefined ? [] : [{ origin: "config", providerId: null, tables: table.models } as const]),
  ];
  if (findModel([...builtInCatalogue, ...own], model, provider).isKnown) return [...builtInCatalogue, ...own];
  const { readProviderList } = await import("./catalogue/provider-list.ts");
  return [...builtInCatalogue, await readProviderList(sources.codexHome, provider), ...own];
}

async function readFileLayer(read: CatalogueSources, file: string): Promise<ModelLayer> {
  const { readModelFile } = await import("./catalogue/parse-model-file.ts");
  const path = resolvePath(read, "model_catalog_json", file);
  return {
    origin: "file",
    providerId: null,
    tables: await readModelFile(path, read.origins.get("model_catalog_json")),
  };
}
