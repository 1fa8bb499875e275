import { findModel, listEfforts, listModels, type ModelInfo, type ResolvedConfig } from "@unroll/config";

/** A model that people choose from. */
export interface OfferedModel extends ModelInfo {
  /** The one of the config. */
  readonly isChosen: boolean;
  /** Levels of effort that it takes; where nobody knows, those that models of every family take. */
  readonly efforts: readonly string[];
  /** What it works at when nobody says. */
  readonly effort: string;
  readonly takesImages: boolean;
}

/** What a front end offers to choose from: the model of the config first, then all that are known of its provider, hidden ones too. */
export function listOfferedModels(config: ResolvedConfig): readonly OfferedModel[] {
  const { catalogue, provider, model } = config;
  const chosen = { ...findModel(catalogue, model, provider.id).info, name: model };
  const others = listModels(catalogue, provider.id).filter(
    ({ name, origins, provider: owner }) => name !== model && (owner === provider.id || origins.includes("provider")),
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
