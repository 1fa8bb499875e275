import type { ResolvedConfig } from "@unroll/config";
import { checkCall } from "../check-options.ts";
import { type ReachOptions, reachProvider } from "./reach-provider.ts";

/** Which model a thread is to have. */
export type ModelChoice =
  /** Somebody named one, or the provider is OpenAI, whose default is unroll's. */
  | { readonly type: "named" }
  /** Nobody named one, and the server has this one alone. */
  | { readonly type: "only"; readonly model: string }
  /** Nobody named one, and somebody has to. `models`: those that the server lists. `message` says so, with what to do. */
  | { readonly type: "open"; readonly models: readonly string[]; readonly message: string };

/**
 * Finds the model where nobody named one: asks the provider for its list, once. Models for embeddings do not count. Throws what
 * `reachProvider` throws.
 */
export async function findModelChoice(config: ResolvedConfig, options: ReachOptions): Promise<ModelChoice> {
  checkCall("findModelChoice", { config, options }, { "config.provider": "an object", "options.host": "an object" });
  const { isModelNamed } = await import("@unroll/config");
  if (isModelNamed(config)) return { type: "named" };
  const { name, unnamedModel } = config.provider;
  const remedy = "name one with -m, or set model in config.toml";
  const open = (message: string, models: readonly string[] = []): ModelChoice => ({ type: "open", models, message });
  if (unnamedModel === "none") {
    return open(`${name} calls a model by the name of your deployment, which no list has: ${remedy}.`);
  }
  const outcome = await reachProvider(config, options);
  switch (outcome.type) {
    case "aborted":
      return open("It was stopped before the server said which models it has.");
    case "failed":
      return open(`No model is named, and ${name} could not be asked for its models. ${outcome.error.message}`);
    case "no_list":
      return open(`No model is named, and ${name} at ${outcome.baseUrl} has no list of models: ${remedy}.`);
    case "reached": {
      const models = (outcome.models ?? []).filter((model) => !/embed/i.test(model));
      const [only] = models;
      if (only === undefined) return open(`No model is named, and ${name} lists none: ${remedy}.`);
      if (models.length === 1) return { type: "only", model: only };
      return open(
        `No model is named, and ${name} has ${models.length}: ${toExamples(models)}. Choose: ${remedy}.`,
        models,
      );
    }
  }
}

const mostShown = 20;

function toExamples(models: readonly string[]): string {
  const more = models.length > mostShown ? `, and ${models.length - mostShown} more` : "";
  return `${models.slice(0, mostShown).join(", ")}${more}`;
}
