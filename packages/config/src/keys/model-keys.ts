export const modelKeys = {
  title: "Model",
  keys: {
    model: {
      kind: "text",
      default: "gpt-6.1-sol",
      text: "the model to use ([models.md](models.md)). If unset, a provider other than OpenAI is asked for its list, and its only model is used",
      flag: { names: "-m, --model <name>", text: "the model to use", of: "settings" },
    },
    model_fallbacks: {
      kind: "models",
      default: [],
      text: "models (of other providers: as tables) that continue a turn, in this order, if the model in use does not answer. For `unroll exec` the list is your consent to [resend the thread](models.md#fallbacks)",
      by: "user",
    },
    model_catalog_json: {
      kind: "path",
      text: "a JSON file that adds models or changes known ones ([models.md](models.md#a-file))",
      by: "user",
    },
    model_provider: {
      kind: "text",
      default: "openai",
      text: "the provider: a table of `model_providers`, or `openai` `azure` `ollama` `lmstudio` `llamacpp` `vllm` `sglang`",
      by: "user",
    },
    oss_provider: {
      kind: ["ollama", "lmstudio", "llamacpp", "vllm", "sglang"],
      default: "ollama",
      text: "the local server that `--oss` uses ([providers.md](providers.md#models-on-this-machine))",
      by: "user",
    },
    /** Ollama, LM Studio, llama.cpp, newer builds of llama.cpp, vLLM, SGLang. */
    local_ports: {
      kind: "ports",
      default: [11_434, 1234, 8080, 9931, 8000, 30_000],
      text: "local ports where `unroll doctor` and the terminal's first run look for model servers; `[]`: don't look ([providers.md](providers.md#found-by-itself))",
      weight: "light",
      by: "user",
      member: "localPorts",
    },
    ca_certificates: {
      kind: "path",
      text: "a PEM file with the certificates of your company's authorities, outside the project, writable folders and `/tmp`; like `SSL_CERT_FILE` ([variables](#environment-variables))",
      by: "user",
      member: "caCertificates",
    },
    openai_base_url: {
      kind: "address",
      text: "base URL of the provider `openai`. It overrides the provider's table, which overrides `OPENAI_BASE_URL`",
      by: "user",
    },
    model_context_window: {
      kind: "tokens",
      otherwise: "the model's",
      text: "how many tokens fit into one request with its response",
      weight: "light",
    },
    model_auto_compact_token_limit: {
      kind: "tokens-from-0",
      otherwise: "the model's, or 90 % of the context window",
      text: "from how many tokens on a thread is compacted automatically ([compaction.md](compaction.md)); `0`: never",
    },
    model_auto_compact_token_limit_scope: {
      kind: ["total", "body_after_prefix"],
      default: "total",
      text: "what that limit counts: the whole next request, or only the items since the start or the last compaction. Even then a thread is compacted at 90 % of the window",
      member: "compaction.scope",
    },
    compact_prompt: {
      kind: "text",
      text: "replaces unroll's instructions for the summary",
      member: "compaction.prompt",
    },
    experimental_compact_prompt_file: {
      kind: "path",
      text: "a file with these instructions; overrides `compact_prompt`",
      member: "compaction.promptFile",
    },
    model_reasoning_effort: {
      kind: "text",
      otherwise: "`models.NAME.sent_effort`, or the provider's default",
      text: "how much the model reasons: `none` `minimal` `low` `medium` `high` `xhigh` `max`, or another word. A level that the model is known not to support is refused ([models.md](models.md#what-a-model-takes))",
      weight: "light",
    },
    model_reasoning_summary: {
      kind: ["auto", "concise", "detailed", "none"],
      default: "auto",
      text: "the kind of reasoning summary. It is sent to models that reason, and to unknown models if you set it",
      weight: "light",
    },
    model_reasoning_context: {
      kind: "reasoning-context",
      otherwise: "`models.NAME.sent_reasoning_context`, or the provider's default",
      text: "which earlier reasoning the model reads: of `all_turns` or of the `current_turn`; `auto`: the provider's default. It is sent to models that support it (GPT-5.6 and later) and to unknown models",
      weight: "light",
    },
    model_verbosity: {
      kind: "verbosity",
      otherwise: "`models.NAME.sent_verbosity`, or the provider's default",
      text: "how long the model's messages are. It is sent to models that support it and to unknown models",
      weight: "light",
    },
    model_instructions_file: {
      kind: "path",
      otherwise: "`models.NAME.instructions_file`",
      text: "a file that replaces the base instructions",
    },
    developer_instructions: {
      kind: "any-text",
      text: "your own developer message for each thread",
      member: "developerInstructions",
    },
    service_tier: {
      kind: "text",
      otherwise: "the provider's",
      text: "the service tier, sent unchanged",
      weight: "light",
      member: "serviceTier",
    },
  },
} as const;
