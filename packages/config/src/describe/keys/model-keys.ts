import { type KeySection, path } from "./key-section.ts";

export const modelKeys: KeySection = {
  title: "### Model",
  intro: "",
  table: null,
  keys: {
    model: {
      text: "the model ([models.md](models.md)). Without it, a provider other than OpenAI is asked for its list: if it has one model, that is used. Its family picks instructions and tools; one that is not known gets those of the nearest known beginning of its name, and a notice",
    },
    model_catalog_json: {
      text: "a file with more models, or more about those that are known ([models.md](models.md#a-file))",
      type: path,
    },
    model_provider: {
      text: "a table of `model_providers`, or `openai` `azure` `ollama` `lmstudio` `llamacpp` `vllm` `sglang`",
    },
    oss_provider: {
      text: "the provider of `--oss`: which server runs models on this machine ([providers.md](providers.md#models-on-this-machine))",
    },
    local_ports: {
      text: "ports of this machine where `unroll doctor` and the first run of the terminal look for model servers; `[]`: nowhere ([providers.md](providers.md#found-by-itself))",
    },
    openai_base_url: { text: "moves the provider `openai`; wins over its table, which wins over `OPENAI_BASE_URL`" },
    model_context_window: {
      text: "how much fits into one request and its answer",
      type: "whole number, tokens",
      otherwise: "of the model",
    },
    model_auto_compact_token_limit: {
      text: "where a conversation is shortened by itself ([compaction.md](compaction.md)); `0`: never",
      type: "whole number, tokens",
      otherwise: "of the model, or 90 % of the context window",
    },
    model_auto_compact_token_limit_scope: {
      text: "what counts: all of the next request, or what came since the conversation began or was shortened (never beyond 90 % of the window)",
    },
    compact_prompt: { text: "replaces our instructions for the summary" },
    experimental_compact_prompt_file: { text: "a file that holds them; wins over `compact_prompt`", type: path },
    model_reasoning_effort: {
      text: "how long the model reasons: `none` `minimal` `low` `medium` `high` `xhigh` `max`, or any word. A level that the model is known not to take is refused ([models.md](models.md#what-a-model-takes)); to a model that is not known it is sent as it is",
      otherwise: "of `models.NAME.sent_effort`, or the provider's",
    },
    model_reasoning_summary: { text: "sent to models that reason, and once set to one that is not known" },
    model_reasoning_context: {
      text: "which reasoning in the input the model reads: of `all_turns`, or of the `current_turn`; `auto`: the provider's default. Sent to models that take it (GPT-5.6 and later), and to one that is not known",
      otherwise: "of `models.NAME.sent_reasoning_context`, or the provider's",
    },
    model_verbosity: {
      text: "how long the model's messages are. Sent to models that take it, and to one that is not known",
      otherwise: "of `models.NAME.sent_verbosity`, or the provider's",
    },
    model_instructions_file: {
      text: "replaces the base instructions",
      type: path,
      otherwise: "of `models.NAME.instructions_file`",
    },
    developer_instructions: { text: "a developer message of your own in each thread" },
    service_tier: { text: "sent as it is", otherwise: "the provider's" },
  },
  outro: "",
};

export const modelTableKeys: KeySection = {
  title: "### `[models.NAME]`",
  intro:
    "What is known of a model, or is to be known otherwise: [models.md](models.md). What is left out is that of the catalogue, or of the family.",
  table: "models",
  keys: {
    family: { text: "whose instructions and tools it gets", otherwise: "by the beginning of its name" },
    provider: { text: "whose model it is, for its price", otherwise: "any provider's" },
    context_window: { text: "what a request may hold", type: "whole number, tokens" },
    max_output_tokens: { text: "the longest answer; only shown", type: "whole number, tokens" },
    auto_compact_token_limit: {
      text: "where a conversation is shortened by itself; `0`: never",
      type: "whole number, tokens",
    },
    efforts: { text: "the efforts that it takes, least first; `[]`: it does not reason" },
    default_effort: {
      text: "the effort that its server uses by itself; also sent, where you write it and no `sent_effort`",
    },
    sent_effort: {
      text: "sent when `model_reasoning_effort` is not set",
      otherwise: "what you write as `default_effort`, or the catalogue's",
    },
    sent_verbosity: { text: "sent when `model_verbosity` is not set" },
    sent_reasoning_context: {
      text: "sent when `model_reasoning_context` is not set; `auto`: the model takes the parameter, and nothing is sent",
      otherwise: "the catalogue's; else the model is known to take none",
    },
    supports_reasoning_summaries: { text: "whether `model_reasoning_summary` is sent" },
    supports_verbosity: { text: "whether `model_verbosity` is sent" },
    supports_images: { text: "`false`: it has no `view_image`, and an image in the input is refused" },
    supports_parallel_tool_calls: { text: "whether it may call several tools in one answer" },
    apply_patch_tool: { text: "`custom`: the freeform tool; `function`: the same patch in a JSON argument" },
    shell_tool: { text: "as the key of that name at the top, which wins" },
    tool_output_token_limit: { text: "as the key of that name at the top, which wins" },
    instructions_file: { text: "in place of the instructions of its family", type: path },
    "price.input": {
      text: "US dollars per million tokens. Of a price it, `cached_input` and `output` are needed",
      type: "number",
    },
    "price.cached_input": { text: "of input that the provider had cached", type: "number" },
    "price.cache_write": {
      text: "of input that the provider puts into its cache",
      type: "number",
      otherwise: "as `price.input`",
    },
    "price.output": { text: "of what it answers, its reasoning with it", type: "number" },
    "price.long.above": {
      text: "what all of a request costs that has more than so much input, by `price.long.input` and so on",
      type: "whole number, tokens",
      otherwise: "the same",
    },
    "price.long.input": {
      text: "as `price.input`. Of `price.long` it, `above`, `cached_input` and `output` are needed",
      type: "number",
    },
    "price.long.cached_input": { text: "as `price.cached_input`", type: "number" },
    "price.long.cache_write": { text: "as `price.cache_write`", type: "number", otherwise: "as `price.long.input`" },
    "price.long.output": { text: "as `price.output`", type: "number" },
    shutdown_date: {
      text: "the day on which its provider ends it; a notice tells it from 60 days before",
      type: "string, `YYYY-MM-DD`",
    },
    hidden: { text: "not listed without `unroll models --all`" },
  },
  outro: "",
};
