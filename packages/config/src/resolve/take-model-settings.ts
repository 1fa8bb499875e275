import type { ReasoningEffort, ReasoningSummary, Verbosity } from "@unroll/protocol";
import type { ConfigWarning } from "../fault/config-warning.ts";
import { formatOrigin } from "../fault/origin.ts";
import { findTakenEffort, knownEfforts } from "../models/find-taken-effort.ts";
import type { FoundModel } from "../models/find-model.ts";
import type { ProviderConfig } from "../providers/provider-config.ts";
import { defaults } from "../schema/defaults.ts";
import { formatKey } from "../toml/key-path.ts";
import type { ResolveContext } from "./resolve-context.ts";

export interface TakenSettings {
  readonly reasoningEffort: ReasoningEffort | null;
  readonly reasoningSummary: ReasoningSummary;
  readonly verbosity: Verbosity | null;
  readonly warnings: readonly ConfigWarning[];
}

export interface ModelInUse {
  readonly model: string;
  readonly found: FoundModel;
  readonly provider: ProviderConfig;
}

/** What is set for the model, without what it is known not to take. */
export function takeModelSettings(context: ResolveContext, use: ModelInUse): TakenSettings {
  const { table } = context;
  const { isKnown, info } = use.found;
  const { supportsVerbosity, supportsReasoningSummaries } = info.family;
  const { model_verbosity: verbosity = null, model_reasoning_summary: summary } = table;
  const effort = table.model_reasoning_effort ?? null;
  const taken = effort === null ? null : findTakenEffort(effort, info.family);
  const losesVerbosity = isKnown && !supportsVerbosity && verbosity !== null;
  const losesSummary = isKnown && !supportsReasoningSummaries && summary !== undefined && summary !== "none";
  return {
    reasoningEffort: taken,
    reasoningSummary: losesSummary ? "none" : (summary ?? defaults.model_reasoning_summary),
    verbosity: losesVerbosity ? null : verbosity,
    warnings: [
      ...(effort === null ? [] : warnOfEffort(context, use, { effort, taken })),
      ...(losesVerbosity ? [warnOfLost(context, use, "model_verbosity")] : []),
      ...(losesSummary ? [warnOfLost(context, use, "model_reasoning_summary")] : []),
    ],
  };
}

interface EffortChoice {
  readonly effort: ReasoningEffort;
  readonly taken: ReasoningEffort | null;
}

function warnOfEffort(
  context: ResolveContext,
  { model, found }: ModelInUse,
  { effort, taken }: EffortChoice,
): readonly ConfigWarning[] {
  const key = "model_reasoning_effort";
  const { efforts } = found.info.family;
  const shown = JSON.stringify(effort);
  if (efforts === null) {
    if (knownEfforts.includes(effort)) return [];
    const message = `${key} is ${shown}, which unroll does not know (${knownEfforts.join(", ")}): it is sent as it is, and the server may refuse it.`;
    return [{ code: "effort_unknown", message, key }];
  }
  if (taken === effort) return [];
  const takes = efforts.length === 0 ? "none" : efforts.join(", ");
  const instead = taken === null ? "nothing is sent" : `${JSON.stringify(taken)} is sent`;
  const own = formatKey(["models", found.info.name, "efforts"]);
  const fault = `${key} is ${shown}, but ${model} takes ${takes}: ${instead}. Set one of these, or ${own} where it takes more.`;
  return [warnOf(context, key, fault)];
}

function warnOfLost(
  context: ResolveContext,
  { model, found }: ModelInUse,
  key: "model_verbosity" | "model_reasoning_summary",
): ConfigWarning {
  const own = key === "model_verbosity" ? "supports_verbosity" : "supports_reasoning_summaries";
  const set = formatKey(["models", found.info.name, own]);
  return warnOf(
    context,
    key,
    `${key} is not sent: ${model} does not take it. Unset it, or set ${set} = true where it does.`,
  );
}

function warnOf({ origins }: ResolveContext, key: string, fault: string): ConfigWarning {
  const origin = origins.get(key);
  if (origin === undefined) return { code: "value_ignored", message: fault, key };
  return { code: "value_ignored", message: `${formatOrigin(origin)}: ${fault}`, key, origin };
}
