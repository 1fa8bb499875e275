import type { ResolvedConfig } from "@unroll/config";
import { checkCall } from "../options/check-call.ts";
import type { ModelChoice } from "./model-choice.ts";
import type { ReachOptions } from "./reach-provider.ts";

/**
 * Finds the model where nobody named one: asks the provider for its list, once. Models for embeddings do not count. Throws what
 * `reachProvider` throws.
 */
export async function findModelChoice(config: ResolvedConfig, options: ReachOptions): Promise<ModelChoice> {
  checkCall("findModelChoice", { config, options }, { "config.provider": "an object", "options.host": "an object" });
  const { readModelChoice } = await import("./read-model-choice.ts");
  return readModelChoice(config, options);
}
