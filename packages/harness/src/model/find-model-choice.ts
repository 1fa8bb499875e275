import type { ResolvedConfig } from "@unroll/config";
import { checkCall } from "../check-options.ts";
import { type ReachOptions, reachProvider } from "./reach-provider.ts";

/** Which model a thread should use. */
export type ModelChoice =
  /** A model is named, or the provider is OpenAI, whose default is unroll's own. */
  | { readonly type: "named" }
  /** No model is named, and the server has exactly this one. */
  | { readonly type: "only"; readonly model: string }
  /**
   * No model is named, and you must choose. `models`: the server's list. `message` says so, and
   * what to do.
   */
  | { readonly type: "open"; readonly models: readonly string[]; readonly message: string };

/**
 * Finds the model if none is named: asks the provider for its list, once. Embedding models do not
 * count. Throws the errors of `reachProvider`.
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
