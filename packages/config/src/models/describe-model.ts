import type { ModelFamily, ModelPrice, TokenRates, WindowOrigin } from "@unroll/protocol";
import type { ModelInfo } from "./model-info.ts";
import type { ModelTable, PriceTable } from "../keys/config-table.ts";

interface Description extends Pick<ModelInfo, "name" | "origins"> {
  readonly table: ModelTable;
  readonly family: ModelFamily;
  /** Who says how large its window is. */
  readonly windowOrigin: WindowOrigin;
}

/** What a table says of a model, over what its family is. */
export function describeModel({ name, origins, table, family, windowOrigin }: Description): ModelInfo {
  return {
    name,
    origins,
    provider: table.provider ?? null,
    family: { ...toOwnFamily(family, table), windowOrigin },
    maxOutputTokens: table.max_output_tokens ?? null,
    defaultEffort: table.default_effort ?? null,
    sentEffort: table.sent_effort ?? null,
    sentVerbosity: table.sent_verbosity ?? null,
    sentReasoningContext: table.sent_reasoning_context ?? null,
    compactionLimit: table.auto_compact_token_limit ?? null,
    instructionsFile: table.instructions_file ?? null,
    price: table.price === undefined ? null : toPrice(table.price),
    shutdownDate: table.shutdown_date ?? null,
    isHidden: table.hidden ?? false,
  };
}

function toPrice({ long, ...price }: PriceTable): ModelPrice {
  if (long === undefined) return toRates(price);
  return { ...toRates(price), long: { above: long.above, ...toRates(long) } };
}

function toRates({ input, cached_input: cachedInput, cache_write: cacheWrite, output }: PriceTable): TokenRates {
  return { input, cachedInput, ...(cacheWrite === undefined ? {} : { cacheWrite }), output };
}

function toOwnFamily(family: ModelFamily, table: ModelTable): Omit<ModelFamily, "windowOrigin"> {
  const efforts = table.efforts ?? family.efforts;
  return {
    id: family.id,
    contextWindow: table.context_window ?? family.contextWindow,
    supportsReasoning: table.efforts === undefined ? family.supportsReasoning : table.efforts.length > 0,
    efforts,
    supportsReasoningSummaries: table.supports_reasoning_summaries ?? family.supportsReasoningSummaries,
    supportsVerbosity: table.supports_verbosity ?? family.supportsVerbosity,
    supportsImages: table.supports_images ?? family.supportsImages,
    supportsParallelToolCalls: table.supports_parallel_tool_calls ?? family.supportsParallelToolCalls,
    applyPatchTool: table.apply_patch_tool ?? family.applyPatchTool,
    shellTool: table.shell_tool ?? family.shellTool,
    toolOutputTokens: table.tool_output_token_limit ?? family.toolOutputTokens,
  };
}
