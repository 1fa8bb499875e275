import { formatOrigin } from "../fault/origin.ts";
import { findModel } from "../models/find-model.ts";
import type { ResolvedConfig } from "../resolved-config.ts";

type ModelSettings = Pick<
  ResolvedConfig,
  "model" | "modelFamily" | "catalogue" | "provider" | "reasoningEffort" | "reasoningContext" | "verbosity" | "origins"
>;

/** Lines for the user. */
export interface DescribedModelSettings {
  readonly effort: string;
  readonly verbosity: string;
  readonly reasoningContext: string;
}

/** What the model is sent, each value with who says so: you, the catalogue or the server. */
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

/** Why the model will not reason, and what to do; null: it will, it is not known to be able to, or nobody knows. */
export function describeNoReasoning(config: ModelSettings): string | null {
  const { model, modelFamily, reasoningEffort, origins } = config;
  if (!modelFamily.supportsReasoning || (reasoningEffort ?? findServersEffort(config)) !== "none") return null;
  const origin = origins.get("model_reasoning_effort");
  const why =
    reasoningEffort === null
      ? "no effort is sent, and its server's own is none"
      : `its effort is none (${origin === undefined ? "the catalogue" : formatOrigin(origin)})`;
  const levels = modelFamily.efforts?.filter((effort) => effort !== "none") ?? [];
  const better = levels.length === 0 ? "another effort" : `one of ${levels.join(", ")}`;
  return `${model} will not reason in this thread: ${why}. For harder work set model_reasoning_effort to ${better}.`;
}

interface Setting {
  readonly key: string;
  /** Null: nothing is sent. */
  readonly value: string | null;
  /** What the server does by itself; null: not known. */
  readonly otherwise: string | null;
}

function describe({ origins }: ModelSettings, { key, value, otherwise }: Setting): string {
  if (value === null) return `${otherwise ?? "as the server decides"} (the server: nothing is sent)`;
  const origin = origins.get(key);
  if (origin === undefined) return `${value} (the catalogue)`;
  return `${value} (${origin.type === "thread" ? "" : "you: "}${formatOrigin(origin)})`;
}

function findServersEffort({ catalogue, model, provider }: ModelSettings): string | null {
  return findModel(catalogue, model, provider.id).info.defaultEffort;
}
