import { findModel, listEfforts, listModels, type ModelInfo, type ResolvedConfig } from "@unroll/config";

/** A model that users choose from. */
export interface OfferedModel extends ModelInfo {
  /** The one of the config. */
  readonly isChosen: boolean;
  /** Levels of effort that it takes; where nobody knows, those that models of every family take. */
  readonly efforts: readonly string[];
  /** The effort that it uses by default. */
  readonly effort: string;
  readonly takesImages: boolean;
}

/** The choice of models: that of the config first, then all that its provider is known to have or the user named, hidden ones too. */
export function listOfferedModels(config: ResolvedConfig): readonly OfferedModel[] {
  const { catalogue, provider, model } = config;
  const chosen = { ...findModel(catalogue, model, provider.id).info, name: model };
  const others = listModels(catalogue, provider.id).filter(
    ({ name, origins, provider: owner }) =>
      name !== model && (isOwned(owner, provider.id, origins) || origins.includes("provider")),
  );
  return [chosen, ...others].map((info) => {
    const { family, sentEffort, defaultEffort } = info;
    const isChosen = info === chosen;
    return {
      ...info,
      isChosen,
      efforts: listEfforts(family),
      effort: (isChosen ? config.reasoningEffort : sentEffort) ?? defaultEffort ?? "medium",
      takesImages: family.supportsImages && provider.takes.images,
    };
  });
}

/** A model that the user named without a provider is meant for whichever is in use. */
function isOwned(owner: string | null, provider: string, origins: ModelInfo["origins"]): boolean {
  return owner === provider || (owner === null && !origins.includes("built_in"));
}
