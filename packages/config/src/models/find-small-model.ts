import { findModel, listModels } from "./find-model.ts";
import type { ModelCatalogue, ModelInfo } from "./model-info.ts";

/** The cheapest known model of the same provider and generation (`gpt-6`). Null: there is none that is cheaper, or nothing is known. */
export function findSmallModel(catalogue: ModelCatalogue, model: string, providerId: string): string | null {
  const own = priceOf(findModel(catalogue, model, providerId).info, providerId);
  const generation = /^\D+\d+/u.exec(model)?.[0] ?? null;
  if (own === null || generation === null) return null;
  const others = listModels(catalogue, providerId)
    .filter(({ name, isHidden, shutdownDate }) => !isHidden && shutdownDate === null && isOf(name, generation))
    .map((info) => ({ name: info.name, price: priceOf(info, providerId) ?? own }));
  const [cheapest] = others.toSorted((a, b) => a.price - b.price);
  return cheapest !== undefined && cheapest.price < own ? cheapest.name : null;
}

/** In US dollars per million tokens of output; null: not known for this provider. */
function priceOf({ price, provider }: ModelInfo, providerId: string): number | null {
  return provider === null || provider === providerId ? (price?.output ?? null) : null;
}

/** `gpt-50` is not of the generation `gpt-5`. */
function isOf(name: string, generation: string): boolean {
  return name.startsWith(generation) && !/^\d/u.test(name.slice(generation.length));
}
