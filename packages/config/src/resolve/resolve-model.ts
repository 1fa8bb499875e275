import type { ModelFamily } from "@unroll/protocol";
import { findModel, type FoundModel } from "../models/find-model.ts";
import type { ConfigWarning } from "../fault/config-warning.ts";
import type { ProviderConfig } from "../providers/provider-config.ts";
import { defaults } from "../schema/defaults.ts";
import { formatKey } from "../toml/key-path.ts";
import { reportUnknownModel } from "./report-unknown-model.ts";
import type { ResolveContext } from "./resolve-context.ts";
import { resolvePath } from "./resolve-path.ts";
import { type TakenSettings, takeModelSettings } from "./take-model-settings.ts";

export interface ResolvedModel extends Omit<TakenSettings, "warnings"> {
  readonly model: string;
  readonly modelFamily: ModelFamily;
  /** As of `ModelInfo`. */
  readonly compactionLimit: number | null;
  /** Absolute; null: that of the family. */
  readonly instructionsFile: string | null;
  readonly warnings: readonly ConfigWarning[];
}

/**
 * What the server lacks goes before all, then what the person sets, then what is known of the model. A setting is sent to a model
 * that nobody knows, and to one that is known to take it.
 */
export function resolveModel(context: ResolveContext, provider: ProviderConfig): ResolvedModel {
  const { table, catalogue } = context;
  const model = table.model ?? defaults.model;
  const found = findModel(catalogue, model, provider.id);
  const { info } = found;
  const { warnings, ...taken } = takeModelSettings(context, { model, found, provider });
  return {
    model,
    modelFamily: toFamily(context, found, provider),
    compactionLimit: info.compactionLimit,
    instructionsFile: resolveInstructions(context, info),
    ...taken,
    warnings: [...(found.isKnown ? [] : [reportUnknownModel(context, { model, found })]), ...warnings],
  };
}

function toFamily({ table }: ResolveContext, { isKnown, info }: FoundModel, provider: ProviderConfig): ModelFamily {
  const { family } = info;
  const reasons = table.model_reasoning_effort !== undefined || table.model_reasoning_summary !== undefined;
  return {
    ...family,
    contextWindow: table.model_context_window ?? family.contextWindow,
    applyPatchTool: provider.takes.customTools ? family.applyPatchTool : "function",
    shellTool: table.shell_tool ?? family.shellTool,
    toolOutputTokens: table.tool_output_token_limit ?? family.toolOutputTokens,
    supportsReasoning: family.supportsReasoning || (!isKnown && reasons),
    supportsReasoningSummaries:
      provider.takes.reasoningSummaries &&
      (family.supportsReasoningSummaries || (!isKnown && table.model_reasoning_summary !== undefined)),
    supportsVerbosity: family.supportsVerbosity || (!isKnown && table.model_verbosity !== undefined),
    supportsImages: provider.takes.images && family.supportsImages,
  };
}

function resolveInstructions(context: ResolveContext, { name, instructionsFile }: FoundModel["info"]): string | null {
  const { model_instructions_file: own } = context.table;
  if (own !== undefined) return resolvePath(context, "model_instructions_file", own);
  if (instructionsFile === null) return null;
  return resolvePath(context, formatKey(["models", name, "instructions_file"]), instructionsFile);
}
