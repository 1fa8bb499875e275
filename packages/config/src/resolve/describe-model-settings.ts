import { formatOrigin } from "../config-error.ts";
import { modelKeys } from "../keys/model-keys.ts";
import { findModel } from "../models/find-model.ts";
import type { ModelCatalogue } from "../models/model-info.ts";
import type { ResolvedConfig } from "../resolved-config.ts";

type ModelSettings = Pick<
  ResolvedConfig,
  "model" | "modelFamily" | "catalogue" | "provider" | "reasoningEffort" | "reasoningContext" | "verbosity" | "origins"
>;

/** Lines for the user. */
interface DescribedModelSettings {
  readonly effort: string;
  readonly verbosity: string;
  readonly reasoningContext: string;
}

/** The settings that the model is sent, each with its source: you, the catalogue or the server. */
export function describeModelSettings(config: ModelSettings): DescribedModelSettings {
  const { reasoningEffort, verbosity, reasoningContext } = config;
  return {
    effort: describe(config, {
      key: "model_reasoning_effort",
      value: reasoningEffort,
      otherwise: findServersEffort(config),
    }),
    verbosity: describe(config, { key: "model_verbosity", value: verbosity, otherwise: null }),
    reasoningContext: describe(config, { key: "model_reasoning_context", value: reasoningContext, otherwise: null }),
  };
}

/** Why the model will not reason, and what to do. Null: it will reason, cannot, or nothing is known. */
export function describeNoReasoning(config: ModelSettings): string | null {
  const { model, modelFamily, reasoningEffort, origins } = config;
  if (!modelFamily.supportsReasoning || (reasoningEffort ?? findServersEffort(config)) !== "none") return null;
  const origin = origins.get("model_reasoning_effort");
  const why =
    reasoningEffort === null
      ? "unroll sends no effort, and the server's default is none"
      : `its effort is none (${origin === undefined ? "the catalogue" : formatOrigin(origin)})`;
  const levels = modelFamily.efforts?.filter((effort) => effort !== "none") ?? [];
  const better = levels.length === 0 ? "another effort" : `one of ${levels.join(", ")}`;
  return `${model} will not reason in this thread: ${why}. For harder tasks, set model_reasoning_effort to ${better}.`;
}

interface Setting {
  readonly key: string;
  /** Null: nothing is sent. */
  readonly value: string | null;
  /** The server's own default; null: not known. */
  readonly otherwise: string | null;
}

function describe({ origins }: ModelSettings, { key, value, otherwise }: Setting): string {
  if (value === null)
    return otherwise === null ? "the server's default (not sent)" : `${otherwise} (the server's default, not sent)`;
  const origin = origins.get(key);
  if (origin === undefined) return `${value} (from the catalogue)`;
  return `${value} (${origin.type === "thread" ? "" : "you: "}${formatOrigin(origin)})`;
}

function findServersEffort({ catalogue, model, provider }: ModelSettings): string | null {
  return findModel(catalogue, model, provider.id).info.defaultEffort;
}

interface ModelInUse {
  readonly catalogue: ModelCatalogue;
  readonly model: string;
  readonly provider: { readonly id: string; readonly name: string };
}

/** In milliseconds: how long before a shutdown the user is warned. */
const warnedBefore = 60 * 86_400_000;

/**
 * A warning for the user about a model that its provider has shut down, or will within 60 days;
 * null: no warning. `now` is in milliseconds since 1970. Another provider may keep the same model
 * longer.
 */
export function describeShutdown({ catalogue, model, provider }: ModelInUse, now: number): string | null {
  const { info } = findModel(catalogue, model, provider.id);
  const { shutdownDate } = info;
  if (shutdownDate === null || (info.provider !== null && info.provider !== provider.id)) return null;
  const end = Date.parse(shutdownDate);
  if (now < end - warnedBefore) return null;
  const what =
    now < end
      ? `${provider.name} ends the model ${model} on ${shutdownDate}: requests to it will fail.`
      : `${provider.name} ended the model ${model} on ${shutdownDate}: requests to it fail.`;
  const own =
    provider.id === modelKeys.keys.model_provider.default ? `; ${modelKeys.keys.model.default} is the default` : "";
  return `${what} Use another model (-m, or model in config.toml): \`unroll models\` lists them${own}.`;
}

/**
 * Whether `config.model` was chosen: you named it, or the provider is OpenAI, whose default model
 * is unroll's. Otherwise it is only a default that the provider may not have.
 */
export function isModelNamed({ origins, provider }: Pick<ResolvedConfig, "origins" | "provider">): boolean {
  return provider.unnamedModel === "default" || origins.has("model");
}
