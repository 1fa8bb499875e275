import type { ModelFamily } from "@unroll/protocol";
import type { ConfigWarning } from "../fault/config-warning.ts";
import { findModelFamily } from "../models/find-model-family.ts";
import { defaultFamily } from "../models/model-families.ts";
import type { ProviderConfig } from "../providers/provider-config.ts";
import type { ConfigTable } from "../schema/config-table.ts";
import { defaults } from "../schema/defaults.ts";

/** What some model is known to take; a server may take more. */
const knownEfforts: readonly string[] = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
  "ultra",
  "persistent",
];

export interface ResolvedModel {
  readonly model: string;
  readonly modelFamily: ModelFamily;
  readonly warnings: readonly ConfigWarning[];
}

/** What the server lacks goes before all. What the person sets about the model wins over what is known of it: a set effort is sent, whatever the family. */
export function resolveModel(table: ConfigTable, provider: Pick<ProviderConfig, "supportsCustomTools">): ResolvedModel {
  const model = table.model ?? defaults.model;
  const known = findModelFamily(model);
  const family = known ?? defaultFamily;
  const reasons = table.model_reasoning_effort !== undefined || table.model_reasoning_summary !== undefined;
  return {
    model,
    modelFamily: {
      ...family,
      contextWindow: table.model_context_window ?? family.contextWindow,
      applyPatchTool: provider.supportsCustomTools ? family.applyPatchTool : "function",
      shellTool: table.shell_tool ?? family.shellTool,
      toolOutputTokens: table.tool_output_token_limit ?? family.toolOutputTokens,
      supportsReasoning: family.supportsReasoning || reasons,
      supportsVerbosity: family.supportsVerbosity || table.model_verbosity !== undefined,
    },
    warnings: [...(known === null ? [unknownModel(model, table)] : []), ...warnOfEffort(table)],
  };
}

function warnOfEffort({ model_reasoning_effort: effort }: ConfigTable): readonly ConfigWarning[] {
  if (effort === undefined || knownEfforts.includes(effort)) return [];
  const key = "model_reasoning_effort";
  const message = `${key} is ${JSON.stringify(effort)}, which unroll does not know (${knownEfforts.join(", ")}): it is sent as it is, and the server may refuse it.`;
  return [{ code: "effort_unknown", message, key }];
}

function unknownModel(model: string, table: ConfigTable): ConfigWarning {
  const remedy =
    table.model_context_window === undefined
      ? `, and a context window of ${defaultFamily.contextWindow} tokens: set model_context_window to its real size`
      : "";
  return {
    code: "model_unknown",
    message: `The model ${JSON.stringify(model)} is not known: it gets the general instructions and tools${remedy}.`,
    key: "model",
  };
}
