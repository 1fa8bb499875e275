import type { ResolvedConfig } from "../resolved-config.ts";

/** Whether `config.model` is meant: somebody named it, or the provider is OpenAI, whose default is unroll's. Else it is only what stands there. */
export function isModelNamed({ origins, provider }: Pick<ResolvedConfig, "origins" | "provider">): boolean {
  return provider.unnamedModel === "default" || origins.has("model");
}
