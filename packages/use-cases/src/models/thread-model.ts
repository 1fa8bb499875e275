import { ConfigError } from "@unroll/config";
import type { ResolvedConfig } from "@unroll/harness";
import { loadOtherModel, type NamedModel, type OtherModelOptions } from "./other-model.ts";

const choosingKeys = ["model", "model_provider"];
const effortKey = "model_reasoning_effort";

/**
 * The config for a saved thread whose last request went to this model: with that model, unless the command line names one. A model whose
 * provider is no longer configured cannot be loaded; the config is then returned as it is now. Fits `ThreadOptions.loadModel`.
 */
export async function loadThreadModel(
  opened: NamedModel,
  { flags, host, now }: OtherModelOptions,
): Promise<ResolvedConfig> {
  const isNamed = choosingKeys.some((key) => now.origins.get(key)?.type === "argument");
  if (isNamed || now.provider.id === "demo") return now;
  try {
    const loaded = await loadOtherModel(opened, { flags, host, now });
    const origin = now.origins.get(effortKey);
    if (origin?.type !== "argument") return loaded;
    return { ...loaded, origins: new Map([...loaded.origins, [effortKey, origin]]) };
  } catch (error) {
    if (error instanceof ConfigError) return now;
    throw error;
  }
}
