import type { ConfigWarning } from "../fault/config-warning.ts";
import { findModel } from "../models/find-model.ts";
import { plainPreset } from "../providers/presets.ts";
import type { ProviderConfig } from "../providers/provider-config.ts";
import { modelKeys } from "../keys/model-keys.ts";
import { formatKey } from "../toml/key-path.ts";
import type { ResolveContext } from "./resolve-context.ts";

/** A model that only OpenAI has, of a provider that nobody declared: most likely a gateway, and the model could have more. */
export function reportNoPreset(
  { table, catalogue }: ResolveContext,
  { id, preset, takes }: ProviderConfig,
): readonly ConfigWarning[] {
  const model = table.model ?? modelKeys.keys.model.default;
  const isPlain = preset === null && takes.customTools === plainPreset.takes.customTools;
  if (!isPlain || findModel(catalogue, model, id).info.provider !== "openai") return [];
  const key = formatKey(["model_providers", id, "preset"]);
  const message = `The provider ${id} has no preset, so ${model} gets only what most servers take: no freeform tools, no encrypted reasoning. If it is a gateway to OpenAI, set ${key} = "openai".`;
  return [{ code: "provider_undeclared", message, key }];
}
