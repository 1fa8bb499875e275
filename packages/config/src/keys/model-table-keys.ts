export const modelTableKeys = {
  title: "`[models.NAME]`",
  intro:
    "Facts about a model that unroll does not know, or that you want to override ([models.md](models.md)). Keys that you leave out keep the value of the catalogue or of the family.",
  table: "models",
  by: "user",
  keys: {
    family: {
      kind: ["gpt-5", "gpt-5-codex", "gpt-oss", "unroll-demo", "default"],
      otherwise: "the family of the longest known name that it begins with",
      text: "decides the model's instructions and tools",
    },
    provider: { kind: "text", otherwise: "any provider", text: "the provider whose price the table gives" },
    context_window: { kind: "tokens", text: "how many tokens fit into one request with its response", listed: true },
    max_output_tokens: { kind: "tokens", text: "the longest response; for display only", listed: true },
    auto_compact_token_limit: {
      kind: "tokens-from-0",
      text: "from how many tokens on a thread is compacted automatically; `0`: never",
    },
    efforts: {
      kind: "texts",
      text: "the efforts that the model supports, lowest first; `[]`: it does not reason",
      listed: true,
    },
    default_effort: {
      kind: "text",
      text: "the effort that the server uses by default. If you set it and no `sent_effort`, it is also sent",
      listed: true,
    },
    sent_effort: {
      kind: "text",
      otherwise: "your `default_effort`, or the catalogue's",
      text: "the effort to send if `model_reasoning_effort` is not set",
    },
    sent_verbosity: { kind: "verbosity", text: "the verbosity to send if `model_verbosity` is not set" },
    sent_reasoning_context: {
      kind: "reasoning-context",
      otherwise: "the catalogue's; without one, the model does not support it",
      text: "the value to send if `model_reasoning_context` is not set; `auto`: the model supports the parameter, and nothing is sent",
    },
    supports_reasoning_summaries: { kind: "boolean", text: "whether `model_reasoning_summary` is sent", listed: true },
    supports_verbosity: { kind: "boolean", text: "whether `model_verbosity` is sent", listed: true },
    supports_images: {
      kind: "boolean",
      text: "`false`: the model gets no `view_image` tool, and images in your input are refused",
      listed: true,
    },
    supports_parallel_tool_calls: { kind: "boolean", text: "whether the model may call several tools in one response" },
    apply_patch_tool: {
      kind: ["custom", "function"],
      text: "`custom`: the freeform tool; `function`: the same patch in a JSON argument",
    },
    shell_tool: { kind: "shell-tool", text: "like the top-level key of this name, which overrides it" },
    tool_output_token_limit: { kind: "positive", text: "like the top-level key of this name, which overrides it" },
    instructions_file: { kind: "path", text: "a file that replaces the instructions of the model's family" },
    "price.input": {
      kind: "rate",
      text: "input, in US dollars per million tokens. A price needs `input`, `cached_input` and `output`",
      required: true,
    },
    "price.cached_input": { kind: "rate", text: "input that the provider had cached", required: true },
    "price.cache_write": {
      kind: "rate",
      otherwise: "`price.input`",
      text: "input that the provider puts into its cache",
    },
    "price.output": { kind: "rate", text: "output, including reasoning", required: true },
    "price.long.above": {
      kind: "tokens",
      otherwise: "one price for all lengths",
      text: "input tokens above which the whole request costs `price.long.*`",
      required: true,
    },
    "price.long.input": {
      kind: "rate",
      text: "like `price.input`. A `price.long` needs `above`, `input`, `cached_input` and `output`",
      required: true,
    },
    "price.long.cached_input": { kind: "rate", text: "like `price.cached_input`", required: true },
    "price.long.cache_write": { kind: "rate", otherwise: "`price.long.input`", text: "like `price.cache_write`" },
    "price.long.output": { kind: "rate", text: "like `price.output`", required: true },
    shutdown_date: {
      kind: "date",
      text: "the day when the provider ends the model; a notice appears from 60 days before",
      listed: true,
    },
    hidden: { kind: "boolean", text: "`true`: listed only by `unroll models --all`", listed: true },
  },
} as const;
