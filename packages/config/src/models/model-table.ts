import type { ModelFamily, ModelPrice } from "@unroll/protocol";
import type { ModelFamilyId } from "./model-families.ts";

/**
 * What is said of a model, in the catalogue and by `[models.NAME]`: what each key means is in docs/config.md. What is left out is
 * that of its family.
 */
export interface ModelTable {
  readonly family?: ModelFamilyId;
  /** Whose model it is, for its price; absent: any provider's. */
  readonly provider?: string;
  readonly context_window?: number;
  readonly max_output_tokens?: number;
  /** 0: never. */
  readonly auto_compact_token_limit?: number;
  /** Least first; none: it does not reason. */
  readonly efforts?: readonly string[];
  readonly default_effort?: string;
  readonly supports_reasoning_summaries?: boolean;
  readonly supports_verbosity?: boolean;
  readonly supports_images?: boolean;
  readonly supports_parallel_tool_calls?: boolean;
  readonly apply_patch_tool?: ModelFamily["applyPatchTool"];
  readonly shell_tool?: ModelFamily["shellTool"];
  readonly tool_output_token_limit?: number;
  readonly instructions_file?: string;
  readonly price?: PriceTable;
  /** The day on which its provider ends it, as `YYYY-MM-DD`. */
  readonly shutdown_date?: string;
  readonly hidden?: boolean;
}

/** USD per million tokens. */
interface PriceTable {
  readonly input: ModelPrice["input"];
  readonly cached_input: ModelPrice["cachedInput"];
  readonly output: ModelPrice["output"];
}
