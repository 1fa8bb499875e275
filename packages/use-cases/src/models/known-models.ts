import {
  findModel,
  isModelNamed,
  listModels,
  type ModelInfo,
  readProviderList,
  type ResolvedConfig,
} from "@unroll/config";

/** The known models. */
export interface KnownModels {
  readonly config: ResolvedConfig;
  /** The name of the one in use, as `models` has it; null: nobody named one. */
  readonly inUse: string | null;
  /** The one in use first, where it is none of the others. */
  readonly models: readonly ModelInfo[];
}

export interface KnownModelsQuery {
  /** With hidden ones. */
  readonly all?: boolean;
  /** Only those of the config's provider. */
  readonly isOfProvider?: boolean;
}

/** All models that the catalogue, the provider's kept list and the user's files know. */
export async function readKnownModels(
  config: ResolvedConfig,
  { all = false, isOfProvider = false }: KnownModelsQuery,
): Promise<KnownModels> {
  const { id } = config.provider;
  const kept = await readProviderList(config.codexHome, id);
  const [builtIn, ...own] = config.catalogue.filter(({ origin }) => origin !== "provider");
  const catalogue = [...(builtIn ? [builtIn] : []), kept, ...own];
  const isListed = Object.keys(kept.tables).length > 0;
  const models = listModels(catalogue, id).filter(
    (model) =>
      (all || !model.isHidden) &&
      (!isOfProvider ||
        // what it lists is what it has, also a hub that lists another provider's; what the user wrote down is meant
        model.origins.includes("provider") ||
        ((model.provider ?? id) === id && (!isListed || model.origins.some((origin) => origin !== "built_in")))),
  );
  if (!isModelNamed(config)) return { config, inUse: null, models };
  const { info } = findModel(catalogue, config.model, id);
  const inUse = [config.model, info.name].find((name) => models.some((model) => model.name === name));
  if (inUse !== undefined) return { config, inUse, models };
  return { config, inUse: config.model, models: [{ ...info, name: config.model }, ...models] };
}
