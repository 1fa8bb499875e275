/** Any word: `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, and what a model of next month takes. */
export type ReasoningEffort = string;
/** How much of its reasoning the model shows; as in the Responses API, and `none`. */
export type ReasoningSummary = "auto" | "concise" | "detailed" | "none";
/**
 * Which of the reasoning in the input the model reads; as of the Responses API (`reasoning.context`), for GPT-5.6 and later. `auto`: the
 * model decides, as when nothing is sent.
 */
export type ReasoningContext = "auto" | "all_turns" | "current_turn";
/** How long the model's messages are; as of the Responses API (`text.verbosity`). */
export type Verbosity = "low" | "medium" | "high";
/** `cached` searches what the provider has stored, `indexed` the pages of the web that it has an index of, `live` the web. */
export type WebSearchMode = "disabled" | "cached" | "indexed" | "live";

/**
 * The source of a context window's size. `guess`: that of models with a similar name. `catalogue`:
 * the catalogue. `list`: the provider's last list. `server`: the server itself, now. `config`: you.
 */
export type WindowOrigin = "guess" | "catalogue" | "list" | "config" | "server";

/**
 * Facts about a family of models, or one of its models: the tools and prompt that fit it, the
 * features it accepts, and its limits.
 */
export interface ModelFamily {
  /** Also the name of its instructions file in `packages/prompt/instructions/`. */
  readonly id: string;
  /** In tokens: what a request may hold, with its answer where the server counts both. */
  readonly contextWindow: number;
  readonly windowOrigin: WindowOrigin;
  readonly supportsReasoning: boolean;
  /** The efforts that it takes, least first; null: not known, whatever is set is sent. */
  readonly efforts: readonly ReasoningEffort[] | null;
  readonly supportsReasoningSummaries: boolean;
  readonly supportsVerbosity: boolean;
  readonly supportsImages: boolean;
  readonly supportsParallelToolCalls: boolean;
  /** `custom`: the freeform tool with its grammar; `function`: the same patch text in a JSON argument. */
  readonly applyPatchTool: "custom" | "function";
  readonly shellTool: "shell_command" | "shell" | "exec_command";
  /** In tokens: how much of one tool output the model sees. */
  readonly toolOutputTokens: number;
}
