import type { ModelFamily, ReasoningContext, ReasoningEffort, ReasoningSummary, Verbosity } from "@unroll/protocol";
import { findNearestName } from "../check/nearest-name.ts";
import { type ConfigWarning, formatOrigin, type Origin } from "../config-error.ts";
import { modelKeys } from "../keys/model-keys.ts";
import { explainUnsupportedEffort, knownEfforts } from "../models/efforts.ts";
import { findModel, type FoundModel, listModels } from "../models/find-model.ts";
import type { ModelInfo } from "../models/model-info.ts";
import type { ProviderConfig } from "../providers/provider-config.ts";
import type { CompactionSettings } from "../resolved-config.ts";
import { formatKey } from "../toml/table.ts";
import { type ResolveContext, resolvePath } from "./resolve-context.ts";
import { toCompactionLimit, toOutputTokens } from "./restrict-config.ts";

interface ResolvedModel extends Omit<TakenSettings, "warnings"> {
  readonly model: string;
  readonly modelFamily: ModelFamily;
  readonly compaction: Pick<CompactionSettings, "tokenLimit" | "isOwnLimit">;
  /** Absolute; null: that of the family. */
  readonly modelInstructionsFile: string | null;
  readonly warnings: readonly ConfigWarning[];
}

/**
 * The user's settings override known facts about the model; `restrictConfig` removes features that
 * the server lacks. A setting is sent to an unknown model, and to one that is known to take it.
 */
export function resolveModel(context: ResolveContext, provider: ProviderConfig): ResolvedModel {
  const { table, catalogue } = context;
  const model = table.model ?? modelKeys.keys.model.default;
  const found = findModel(catalogue, model, provider.id);
  const { info } = found;
  const { warnings, ...taken } = takeModelSettings(context, { model, found, provider });
  const modelFamily = toFamily(context, found);
  const ownLimit = table.model_auto_compact_token_limit ?? info.compactionLimit;
  const tokenLimit = ownLimit ?? toCompactionLimit(modelFamily.contextWindow);
  return {
    model,
    modelFamily,
    compaction: { tokenLimit: tokenLimit === 0 ? null : tokenLimit, isOwnLimit: ownLimit !== null },
    modelInstructionsFile: resolveInstructions(context, info),
    ...taken,
    warnings: [...reportModel(context, { model, found }), ...warnings],
  };
}

function toFamily({ table }: ResolveContext, { isKnown, info }: FoundModel): ModelFamily {
  const { family } = info;
  const contextWindow = table.model_context_window ?? family.contextWindow;
  const reasons = table.model_reasoning_effort !== undefined || table.model_reasoning_summary !== undefined;
  return {
    ...family,
    contextWindow,
    windowOrigin: table.model_context_window === undefined ? family.windowOrigin : "config",
    shellTool: table.shell_tool ?? family.shellTool,
    toolOutputTokens: table.tool_output_token_limit ?? toOutputTokens(family.toolOutputTokens, contextWindow),
    supportsReasoning: family.supportsReasoning || (!isKnown && reasons),
    supportsReasoningSummaries:
      family.supportsReasoningSummaries || (!isKnown && table.model_reasoning_summary !== undefined),
    supportsVerbosity: family.supportsVerbosity || (!isKnown && table.model_verbosity !== undefined),
  };
}

function resolveInstructions(context: ResolveContext, { name, instructionsFile }: FoundModel["info"]): string | null {
  const { model_instructions_file: own } = context.table;
  if (own !== undefined) return resolvePath(context, "model_instructions_file", own);
  if (instructionsFile === null) return null;
  return resolvePath(context, formatKey(["models", name, "instructions_file"]), instructionsFile);
}

interface UnknownModel {
  readonly model: string;
  readonly found: FoundModel;
}

/** Warns about unknown facts: the model itself, or the size of its context window. */
function reportModel(context: ResolveContext, use: UnknownModel): readonly ConfigWarning[] {
  const { isKnown, info } = use.found;
  if (!isKnown) return [reportUnknownModel(context, use)];
  const isGuess = info.family.windowOrigin === "guess" && context.table.model_context_window === undefined;
  // No warning about models that come with the program.
  return isGuess && !info.origins.includes("built_in") ? [reportGuessedWindow(context, use)] : [];
}

function reportGuessedWindow({ origins }: ResolveContext, { model, found }: UnknownModel): ConfigWarning {
  const origin = origins.get("model");
  const message = `${formatPlace(origin)}the context window of the model ${JSON.stringify(model)} is unknown: ${found.info.family.contextWindow} tokens is a guess until its server reports it. Set [${formatKey(["models", found.info.name])}] context_window.`;
  return { code: "model_window_unknown", message, key: "model", ...(origin && { origin }) };
}

function formatPlace(origin: ReturnType<ResolveContext["origins"]["get"]>): string {
  return origin === undefined || origin.type === "built_in" ? "" : `${formatOrigin(origin)}: `;
}

/** Says which model it is treated as, which one you may have meant, and how to describe it. */
function reportUnknownModel(context: ResolveContext, { model, found }: UnknownModel): ConfigWarning {
  const { table, catalogue, origins } = context;
  const origin = origins.get("model");
  const { like, info } = found;
  const window =
    table.model_context_window === undefined
      ? `${info.family.contextWindow} tokens, which is a guess until its server reports it`
      : `${table.model_context_window} tokens`;
  const taken =
    like === null
      ? "it gets the general instructions and tools"
      : `it is treated like ${like}, with the instructions and tools of ${info.family.id}`;
  const nearest = findNearestName(
    model,
    listModels(catalogue, null).map(({ name }) => name),
  );
  const meant = nearest === null ? "" : ` Did you mean ${nearest}?`;
  const message = `${formatPlace(origin)}the model ${JSON.stringify(model)} is unknown: ${taken}, and a context window of ${window}.${meant} \`unroll models\` lists the known ones; [${formatKey(["models", model])}] describes this one.`;
  return { code: "model_unknown", message, key: "model", ...(origin && { origin }) };
}

interface TakenSettings {
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
 * The user's settings for the model, or those that the catalogue says to send. A parameter that the model is known not to have is left out,
 * with a warning. An effort that the model does not take stays: a thread that is opened with it refuses it.
 */
function takeModelSettings(context: ResolveContext, use: ModelInUse): TakenSettings {
  const { model, found, provider } = use;
  const { isKnown, info } = found;
  const { supportsVerbosity, supportsReasoningSummaries } = info.family;
  const { model_verbosity: verbosity, model_reasoning_summary: summary = defaultSummary } = context.table;
  const sentVerbosity = supportsVerbosity && provider.takes.customTools ? info.sentVerbosity : null;
  const sentContext = provider.takes.customTools ? info.sentReasoningContext : null;
  const { model_reasoning_context: reasoningContext = sentContext } = context.table;
  const effort = takeEffort(context, use);
  const warnings = [...effort.warnings];
  /** `own`: what the key of the model's table has to say, so that the value is sent. */
  const take = <Value>(key: string, value: Value, { isTaken, own }: Bound): Value | null => {
    if (!isKnown || isTaken) return value;
    warnings.push(warnOfLost(context, key, { model, name: info.name, own }));
    return null;
  };
  return {
    reasoningEffort: effort.value,
    verbosity:
      verbosity === undefined
        ? sentVerbosity
        : take("model_verbosity", verbosity, { isTaken: supportsVerbosity, own: "supports_verbosity = true" }),
    reasoningSummary:
      context.table.model_reasoning_summary === undefined || summary === "none"
        ? summary
        : (take("model_reasoning_summary", summary, {
            isTaken: supportsReasoningSummaries,
            own: "supports_reasoning_summaries = true",
          }) ?? "none"),
    // `auto` leaves it to the model, as does what is not sent
    reasoningContext:
      reasoningContext === null || reasoningContext === "auto"
        ? null
        : take("model_reasoning_context", reasoningContext, {
            isTaken: info.sentReasoningContext !== null,
            own: `sent_reasoning_context = ${JSON.stringify(reasoningContext)}`,
          }),
    warnings,
  };
}

const defaultSummary = modelKeys.keys.model_reasoning_summary.default;

interface Bound {
  readonly isTaken: boolean;
  readonly own: string;
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
  if (fault !== null) {
    const refused = { code: "effort_refused", message: `${key}: ${fault} Threads cannot start with it.`, key } as const;
    return { value: effort, warnings: [atOrigin(context.origins.get(key), refused)] };
  }
  if (family.efforts !== null || knownEfforts.includes(effort)) return { value: effort, warnings: [] };
  const message = `${key} is ${JSON.stringify(effort)}, which unroll does not know (${knownEfforts.join(", ")}): it is sent unchanged, and the server may reject it.`;
  return { value: effort, warnings: [{ code: "effort_unknown", message, key }] };
}

/** The effort that the catalogue sends; the user may have removed efforts from it. */
function takeSentEffort(model: string, { name, family, sentEffort }: ModelInfo): Taken<ReasoningEffort | null> {
  const fault = sentEffort === null ? null : explainUnsupportedEffort(sentEffort, { model, modelFamily: family });
  if (fault === null) return { value: sentEffort, warnings: [] };
  const key = formatKey(["models", name, "sent_effort"]);
  const message = `${fault} None is sent. Set ${key} to one of these, or model_reasoning_effort.`;
  return { value: null, warnings: [{ code: "value_ignored", message, key }] };
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
  const fault = `${key} is not sent: ${model} does not support it. Unset it, or set ${set} if it does.`;
  return atOrigin(origins.get(key), { code: "value_ignored", message: fault, key });
}

function atOrigin(origin: Origin | undefined, warning: ConfigWarning): ConfigWarning {
  if (origin === undefined) return warning;
  return { ...warning, message: `${formatOrigin(origin)}: ${warning.message}`, origin };
}
