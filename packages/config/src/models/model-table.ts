import type { ModelFamily, ReasoningContext, TokenRates, Verbosity } from "@unroll/protocol";
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
  /** The server's own; in a table or file of the user's, also what is sent. */
  readonly default_effort?: string;
  /** What we send when the user sets no effort; absent: nothing, so the server decides. */
  readonly sent_effort?: string;
  /** The same for verbosity. */
  readonly sent_verbosity?: Verbosity;
  /** The same for `reasoning.context`; absent: the model is not known to take one. `auto`: it takes one, and nothing is sent. */
  readonly sent_reasoning_context?: ReasoningContext;
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
interface RateTable {
  readonly input: TokenRates["input"];
  readonly cached_input: TokenRates["cachedInput"];
  /** Absent: as `input`. */
  readonly cache_write?: number;
  readonly output: TokenRates["output"];
}

/** What a model costs. */
export interface PriceTable extends RateTable {
  /** What all of a request costs that has more than `above` tokens of input; absent: the same. */
  readonly long?: RateTable & { readonly above: number };
}
