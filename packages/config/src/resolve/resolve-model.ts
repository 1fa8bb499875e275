import type { ModelFamily } from "@unroll/protocol";
import { findModel, type FoundModel } from "../models/find-model.ts";
import { toCompactionLimit, toOutputTokens } from "../models/window-shares.ts";
import type { ConfigWarning } from "../fault/config-warning.ts";
import type { CompactionSettings } from "../resolved-config.ts";
import type { ProviderConfig } from "../providers/provider-config.ts";
import { modelKeys } from "../keys/model-keys.ts";
import { formatKey } from "../toml/key-path.ts";
import { reportModel } from "./report-unknown-model.ts";
import type { ResolveContext } from "./resolve-context.ts";
import { resolvePath } from "./resolve-path.ts";
import { type TakenSettings, takeModelSettings } from "./take-model-settings.ts";

export interface ResolvedModel extends Omit<TakenSettings, "warnings"> {
  readonly model: string;
  readonly modelFamily: ModelFamily;
  readonly compaction: Pick<CompactionSettings, "tokenLimit" | "isOwnLimit">;
  /** Absolute; null: that of the family. */
  readonly instructionsFile: string | null;
  readonly warnings: readonly ConfigWarning[];
}

/**
 * What the person sets goes before what is known of the model; what the server lacks is left out by `restrictConfig`. A setting is sent
 * to a model that nobody knows, and to one that is known to take it.
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
    instructionsFile: resolveInstructions(context, info),
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
