import { findModel, listModels, type ModelInfo, type ResolvedConfig } from "@unroll/config";

/** What a front end offers to choose from: the model of the config first, then all that are known of its provider, hidden ones too. */
export function listOfferedModels({ catalogue, provider, model }: ResolvedConfig): readonly ModelInfo[] {
  const chosen = { ...findModel(catalogue, model, provider.id).info, name: model };
  const others = listModels(catalogue, provider.id).filter(
    ({ name, origins, provider: owner }) => name !== model && (owner === provider.id || origins.includes("provider")),
  );
  return [chosen, ...others];
}
