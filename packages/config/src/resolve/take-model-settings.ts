import type { ReasoningContext, ReasoningEffort, ReasoningSummary, Verbosity } from "@unroll/protocol";
import type { ConfigWarning } from "../fault/config-warning.ts";
import { formatOrigin, type Origin } from "../fault/origin.ts";
import { explainUnsupportedEffort } from "../models/explain-effort.ts";
import type { FoundModel } from "../models/find-model.ts";
import type { ModelInfo } from "../models/model-info.ts";
import { knownEfforts } from "../models/known-efforts.ts";
import type { ProviderConfig } from "../providers/provider-config.ts";
import { modelKeys } from "../keys/model-keys.ts";
import { formatKey } from "../toml/key-path.ts";
import type { ResolveContext } from "./resolve-context.ts";

export interface TakenSettings {
  readonly reasoningEffort: ReasoningEffort | null;
  readonly reasoningSummary: ReasoningSummary;
  readonly reasoningContext: ReasoningContext | null;
  readonly verbosity: Verbosity | null;
  readonly warnings: readonly ConfigWarning[];
}

interface ModelInUse {
  readonly model: string;
  readonly found: FoundModel;
  /** A server without freeform tools knows an effort, and none of the API's other additions since GPT-5: these it gets if the user sets them. */
  readonly provider: Pick<ProviderConfig, "takes">;
}

/** A setting with what the user has to know of it. */
interface Taken<Value> {
  readonly value: Value;
  readonly warnings: readonly ConfigWarning[];
}

/**
 * The user's settings for the model, or what the catalogue says is sent to it. What the model is known to have no parameter for is left out,
 * with a warning. A level of effort that it does not take stays: the thread that is opened with it refuses it.
 */
export function takeModelSettings(context: ResolveContext, use: ModelInUse): TakenSettings {
  const effort = takeEffort(context, use);
  const summary = takeSummary(context, use);
  const reasoningContext = takeReasoningContext(context, use);
  const verbosity = takeVerbosity(context, use);
  return {
    reasoningEffort: effort.value,
    reasoningSummary: summary.value,
    reasoningContext: reasoningContext.value,
    verbosity: verbosity.value,
    warnings: [effort, verbosity, summary, reasoningContext].flatMap(({ warnings }) => warnings),
  };
}

function takeEffort(context: ResolveContext, { model, found: { info } }: ModelInUse): Taken<ReasoningEffort | null> {
  const key = "model_reasoning_effort";
  const { family } = info;
  const effort = context.table[key];
  if (family.efforts?.length === 0) {
    if (effort === undefined || effort === "none") return { value: null, warnings: [] };
    return { value: null, warnings: [warnOfLost(context, key, { model, name: info.name, own: "efforts" })] };
  }
  if (effort === undefined) return takeSentEffort(model, info);
  const fault = explainUnsupportedEffort(effort, { model, modelFamily: family });
  if (fault !== null) return { value: effort, warnings: [warnOfRefused(context, { key, fault })] };
  if (family.efforts !== null || knownEfforts.includes(effort)) return { value: effort, warnings: [] };
  const message = `${key} is ${JSON.stringify(effort)}, which unroll does not know (${knownEfforts.join(", ")}): it is sent as it is, and the server may refuse it.`;
  return { value: effort, warnings: [{ code: "effort_unknown", message, key }] };
}

/** What the catalogue says is sent; the user may have taken levels of efforts out of it. */
function takeSentEffort(model: string, { name, family, sentEffort }: ModelInfo): Taken<ReasoningEffort | null> {
  const fault = sentEffort === null ? null : explainUnsupportedEffort(sentEffort, { model, modelFamily: family });
  if (fault === null) return { value: sentEffort, warnings: [] };
  const key = formatKey(["models", name, "sent_effort"]);
  const message = `${fault} None is sent. Set ${key} to one of these, or model_reasoning_effort.`;
  return { value: null, warnings: [{ code: "value_ignored", message, key }] };
}

function warnOfRefused(
  { origins }: ResolveContext,
  { key, fault }: { readonly key: string; readonly fault: string },
): ConfigWarning {
  return atOrigin(origins.get(key), {
    code: "effort_refused",
    message: `${key}: ${fault} No thread starts with it.`,
    key,
  });
}

function takeSummary(
  context: ResolveContext,
  { model, found: { isKnown, info } }: ModelInUse,
): Taken<ReasoningSummary> {
  const key = "model_reasoning_summary";
  const summary = context.table[key];
  if (summary === undefined || summary === "none" || !isKnown || info.family.supportsReasoningSummaries)
    return { value: summary ?? modelKeys.keys[key].default, warnings: [] };
  const fault = { model, name: info.name, own: "supports_reasoning_summaries = true" };
  return { value: "none", warnings: [warnOfLost(context, key, fault)] };
}

function takeVerbosity(
  context: ResolveContext,
  { model, found: { isKnown, info }, provider }: ModelInUse,
): Taken<Verbosity | null> {
  const key = "model_verbosity";
  const verbosity = context.table[key];
  const isTaken = info.family.supportsVerbosity;
  if (verbosity === undefined)
    return { value: isTaken && provider.takes.customTools ? info.sentVerbosity : null, warnings: [] };
  if (!isKnown || isTaken) return { value: verbosity, warnings: [] };
  const fault = { model, name: info.name, own: "supports_verbosity = true" };
  return { value: null, warnings: [warnOfLost(context, key, fault)] };
}

/** `auto` leaves it to the model, as does what is not sent. */
function takeReasoningContext(
  context: ResolveContext,
  { model, found: { isKnown, info }, provider }: ModelInUse,
): Taken<ReasoningContext | null> {
  const key = "model_reasoning_context";
  const own = provider.takes.customTools ? info.sentReasoningContext : null;
  const { [key]: set = own } = context.table;
  if (set === null || set === "auto") return { value: null, warnings: [] };
  if (!isKnown || info.sentReasoningContext !== null) return { value: set, warnings: [] };
  const fault = { model, name: info.name, own: `sent_reasoning_context = ${JSON.stringify(set)}` };
  return { value: null, warnings: [warnOfLost(context, key, fault)] };
}

interface LostSetting {
  readonly model: string;
  /** As the catalogue writes the model. */
  readonly name: string;
  /** The key of the model's table that says otherwise, with its value where there is but one. */
  readonly own: string;
}

function warnOfLost({ origins }: ResolveContext, key: string, { model, name, own }: LostSetting): ConfigWarning {
  const set = `${formatKey(["models", name])}.${own}`;
  const fault = `${key} is not sent: ${model} does not take it. Unset it, or set ${set} where it does.`;
  return atOrigin(origins.get(key), { code: "value_ignored", message: fault, key });
}

function atOrigin(origin: Origin | undefined, warning: ConfigWarning): ConfigWarning {
  if (origin === undefined) return warning;
  return { ...warning, message: `${formatOrigin(origin)}: ${warning.message}`, origin };
}
