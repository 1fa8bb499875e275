import type { ModelPrice } from "@unroll/protocol";
import { findModel } from "./find-model.ts";
import type { ModelCatalogue } from "./model-info.ts";

/**
 * What a model of a provider costs, in USD per million tokens, by the catalogue; null where that is not known for sure. A dated name
 * (`gpt-5-2025-08-07`) is the model's; the same model costs otherwise at other providers.
 */
export function findModelPrice(catalogue: ModelCatalogue, model: string, provider: string): ModelPrice | null {
  const { info } = findModel(catalogue, model, provider);
  return info.provider === null || info.provider === provider ? info.price : null;
}
