import { modelKeys } from "../keys/model-keys.ts";
import { findModel } from "../models/find-model.ts";
import type { ModelCatalogue } from "../models/model-info.ts";

interface ModelInUse {
  readonly catalogue: ModelCatalogue;
  readonly model: string;
  readonly provider: { readonly id: string; readonly name: string };
}

/** In milliseconds: from when on a person is told, again and again. */
const warnedBefore = 60 * 86_400_000;

/**
 * What a person is told of a model that its provider has ended, or ends in the next 60 days; null: nothing. `now` is in milliseconds
 * since 1970. The same model may live longer at another provider.
 */
export function describeShutdown({ catalogue, model, provider }: ModelInUse, now: number): string | null {
  const { info } = findModel(catalogue, model, provider.id);
  const { shutdownDate } = info;
  if (shutdownDate === null || (info.provider !== null && info.provider !== provider.id)) return null;
  const end = Date.parse(shutdownDate);
  if (now < end - warnedBefore) return null;
  const what =
    now < end
      ? `${provider.name} ends the model ${model} on ${shutdownDate}: requests for it will fail.`
      : `${provider.name} ended the model ${model} on ${shutdownDate}: requests for it fail.`;
  const own =
    provider.id === modelKeys.keys.model_provider.default ? `; ${modelKeys.keys.model.default} is the default` : "";
  return `${what} Name another one (-m, or model in config.toml): \`unroll models\` lists them${own}.`;
}
