import * as z from "zod";
import type { ModelFamily, ReasoningContext, Verbosity } from "@unroll/protocol";
import type { PriceTable } from "../models/model-table.ts";
import { type ModelFamilyId, modelFamilyIds } from "../models/model-families.ts";

const text = z.string().min(1).nullish();
const flag = z.boolean().nullish();
const count = z.int().min(0).nullish();
const positive = z.int().min(1).nullish();
const verbosity = z.enum(["low", "medium", "high"]).nullish();
const amount = z.number().min(0);
const rates = { input: amount, cached_input: amount, cache_write: amount.exactOptional(), output: amount };

// structure-ignore absence: what a member of a foreign file holds when it is left out, by zod
type Maybe<Value> = Value | null | undefined;

interface LoadedInstance {
  readonly id?: Maybe<string>;
  readonly config?: Maybe<{ readonly context_length?: Maybe<number> }>;
}

/** A model of a file, or of a provider's list: our names, and those that the Codex CLI and servers have for the same. */
export interface ModelEntry {
  readonly slug?: Maybe<string>;
  readonly id?: Maybe<string>;
  /** Of LM Studio, and of Ollama. */
  readonly key?: Maybe<string>;
  readonly name?: Maybe<string>;
  readonly family?: Maybe<ModelFamilyId>;
  readonly provider?: Maybe<string>;
  readonly context_window?: Maybe<number>;
  readonly context_length?: Maybe<number>;
  readonly max_context_length?: Maybe<number>;
  readonly max_model_len?: Maybe<number>;
  /** Of llama-server: the window in force. */
  readonly meta?: Maybe<{ readonly n_ctx?: Maybe<number> }>;
  /** Of LM Studio: each model that is loaded, with its window in force. */
  readonly loaded_instances?: Maybe<readonly LoadedInstance[]>;
  /** Of OpenRouter: the upstream that answers first. */
  readonly top_provider?: Maybe<{ readonly context_length?: Maybe<number> }>;
  /** Of GitHub Copilot. */
  readonly capabilities?: Maybe<{ readonly limits?: Maybe<{ readonly max_prompt_tokens?: Maybe<number> }> }>;
  readonly max_output_tokens?: Maybe<number>;
  readonly max_completion_tokens?: Maybe<number>;
  readonly auto_compact_token_limit?: Maybe<number>;
  readonly efforts?: Maybe<readonly string[]>;
  readonly supported_reasoning_levels?: Maybe<readonly (string | { readonly effort: string })[]>;
  readonly default_effort?: Maybe<string>;
  readonly default_reasoning_level?: Maybe<string>;
  readonly sent_effort?: Maybe<string>;
  readonly sent_verbosity?: Maybe<Verbosity>;
  readonly default_verbosity?: Maybe<Verbosity>;
  readonly sent_reasoning_context?: Maybe<ReasoningContext>;
  readonly supports_reasoning_summaries?: Maybe<boolean>;
  readonly supports_verbosity?: Maybe<boolean>;
  readonly support_verbosity?: Maybe<boolean>;
  readonly supports_images?: Maybe<boolean>;
  readonly input_modalities?: Maybe<readonly string[]>;
  readonly supports_parallel_tool_calls?: Maybe<boolean>;
  readonly apply_patch_tool?: Maybe<ModelFamily["applyPatchTool"]>;
  readonly apply_patch_tool_type?: Maybe<string>;
  readonly shell_tool?: Maybe<ModelFamily["shellTool"]>;
  readonly shell_type?: Maybe<string>;
  readonly tool_output_token_limit?: Maybe<number>;
  readonly truncation_policy?: Maybe<{ readonly mode: string; readonly limit: number }>;
  readonly instructions_file?: Maybe<string>;
  readonly price?: Maybe<PriceTable>;
  readonly shutdown_date?: Maybe<string>;
  readonly hidden?: Maybe<boolean>;
  readonly visibility?: Maybe<string>;
}

const entrySchema: z.ZodType<ModelEntry> = z.looseObject({
  slug: text.describe("its name; id will do, too"),
  id: text,
  key: text,
  name: z.string().nullish().catch(null),
  family: z.enum(modelFamilyIds).nullish().describe("whose instructions and tools it gets"),
  provider: text.describe("whose model it is, for its price; left out: any provider's"),
  context_window: positive.describe("tokens that a request may hold"),
  context_length: positive,
  max_context_length: positive,
  max_model_len: positive,
  meta: z.looseObject({ n_ctx: positive }).nullish().catch(null),
  loaded_instances: z
    .array(z.looseObject({ id: text, config: z.looseObject({ context_length: positive }).nullish() }))
    .nullish()
    .catch(null),
  top_provider: z.looseObject({ context_length: positive }).nullish().catch(null),
  capabilities: z
    .looseObject({ limits: z.looseObject({ max_prompt_tokens: positive }).nullish() })
    .nullish()
    .catch(null),
  max_output_tokens: positive.describe("tokens of the longest answer"),
  max_completion_tokens: positive,
  auto_compact_token_limit: count.describe("where a conversation is shortened by itself; 0: never"),
  efforts: z
    .array(z.string().min(1))
    .nullish()
    .describe("the efforts that it takes, least first; []: it does not reason"),
  supported_reasoning_levels: z
    .array(z.union([z.string().min(1), z.looseObject({ effort: z.string().min(1) })]))
    .nullish(),
  default_effort: text.describe("sent where model_reasoning_effort is not set"),
  default_reasoning_level: text,
  sent_effort: text.describe("the same, and wins over default_effort"),
  sent_verbosity: verbosity.describe("sent where model_verbosity is not set"),
  default_verbosity: verbosity,
  sent_reasoning_context: z
    .enum(["auto", "all_turns", "current_turn"])
    .nullish()
    .describe("sent where model_reasoning_context is not set; left out: it takes none"),
  supports_reasoning_summaries: flag,
  supports_verbosity: flag,
  support_verbosity: flag,
  supports_images: flag,
  input_modalities: z.array(z.string()).nullish(),
  supports_parallel_tool_calls: flag,
  apply_patch_tool: z.enum(["custom", "function"]).nullish(),
  apply_patch_tool_type: z.string().nullish(),
  shell_tool: z.enum(["shell_command", "shell", "exec_command"]).nullish(),
  shell_type: z.string().nullish(),
  tool_output_token_limit: positive.describe("how much of one tool output it sees"),
  truncation_policy: z.looseObject({ mode: z.string(), limit: z.int().min(1) }).nullish(),
  instructions_file: text.describe("in place of the instructions of its family; relative to this file"),
  price: z
    .strictObject({ ...rates, long: z.strictObject({ above: z.int().min(1), ...rates }).exactOptional() })
    .nullish()
    .describe(
      "US dollars per million tokens; cache_write: of input that is put into the cache, left out: as input; long: of a request with more than `above` tokens of input",
    ),
  shutdown_date: z.iso.date("a day as YYYY-MM-DD").nullish().describe("the day on which its provider ends it"),
  hidden: flag.describe("not listed without --all"),
  visibility: z.string().nullish(),
});

/** What `model_catalog_json` names. Members that are not told here are left aside. */
export const modelFileSchema: z.ZodType<{ readonly models: readonly ModelEntry[] }> = z.looseObject({
  models: z.array(entrySchema),
});

/** A list of a provider: `data` as of the OpenAI API. */
export const modelEntrySchema: z.ZodType<ModelEntry> = entrySchema;

export const nameSchema: z.ZodType<Pick<ModelEntry, "slug" | "id" | "key">> = z.object({
  slug: text,
  id: text,
  key: text,
});
