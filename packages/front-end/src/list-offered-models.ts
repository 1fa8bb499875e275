import { findModel, listModels, type ModelInfo, type ResolvedConfig } from "@unroll/config";

/** A model that people choose from. */
export interface OfferedModel extends ModelInfo {
  /** The one of the config. */
  readonly isChosen: boolean;
  /** Levels of effort that it takes; where nobody knows, those that models of every family take. */
  readonly efforts: readonly string[];
  /** What is sent where nobody says. */
  readonly effort: string;
  readonly takesImages: boolean;
}

const commonEfforts = ["minimal", "low", "medium", "high"];

/** What a front end offers to choose from: the model of the config first, then all that are known of its provider, hidden ones too. */
export function listOfferedModels(config: ResolvedConfig): readonly OfferedModel[] {
  const { catalogue, provider, model } = config;
  const chosen = { ...findModel(catalogue, model, provider.id).info, name: model };
  const others = listModels(catalogue, provider.id).filter(
    ({ name, origins, provider: owner }) => name !== model && (owner === provider.id || origins.includes("provider")),
  );
  return [chosen, ...others].map((info) => {
    const { family, defaultEffort } = info;
    const isChosen = info === chosen;
    return {
      ...info,
      isChosen,
      efforts: family.supportsReasoning ? (family.efforts ?? commonEfforts) : [],
      effort: (isChosen ? config.reasoningEffort : null) ?? defaultEffort ?? "medium",
      takesImages: family.supportsImages && provider.takes.images,
    };
  });
}
