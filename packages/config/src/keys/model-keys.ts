export const modelKeys = {
  title: "Model",
  keys: {
    model: {
      kind: "text",
      default: "gpt-6.1-sol",
      text: "the model ([models.md](models.md)). Without it, a provider other than OpenAI is asked for its list: if it has one model, that is used. Its family picks instructions and tools; one that is not known gets those of the nearest known beginning of its name, and a notice",
      flag: { names: "-m, --model <name>", text: "the model to use", of: "settings" },
    },
    model_catalog_json: {
      kind: "path",
      text: "a file with more models, or more about those that are known ([models.md](models.md#a-file))",
      by: "user",
    },
    model_provider: {
      kind: "text",
      default: "openai",
      text: "a table of `model_providers`, or `openai` `azure` `ollama` `lmstudio` `llamacpp` `vllm` `sglang`",
      by: "user",
    },
    oss_provider: {
      kind: ["ollama", "lmstudio", "llamacpp", "vllm", "sglang"],
      default: "ollama",
      text: "the provider of `--oss`: which server runs models on this machine ([providers.md](providers.md#models-on-this-machine))",
      by: "user",
    },
    /** Ollama, LM Studio, llama.cpp, newer builds of llama.cpp, vLLM, SGLang. */
    local_ports: {
      kind: "ports",
      default: [11_434, 1234, 8080, 9931, 8000, 30_000],
      text: "ports of this machine where `unroll doctor` and the first run of the terminal look for model servers; `[]`: nowhere ([providers.md](providers.md#found-by-itself))",
      weight: "light",
      by: "user",
      member: "localPorts",
    },
    openai_base_url: {
      kind: "address",
      text: "moves the provider `openai`; wins over its table, which wins over `OPENAI_BASE_URL`",
      by: "user",
    },
    model_context_window: {
      kind: "tokens",
      otherwise: "of the model",
      text: "how much fits into one request and its answer",
      weight: "light",
    },
    model_auto_compact_token_limit: {
      kind: "tokens-from-0",
      otherwise: "of the model, or 90 % of the context window",
      text: "where a conversation is shortened by itself ([compaction.md](compaction.md)); `0`: never",
      weight: "light",
    },
    model_auto_compact_token_limit_scope: {
      kind: ["total", "body_after_prefix"],
      default: "total",
      text: "what counts: all of the next request, or what came since the conversation began or was shortened (never beyond 90 % of the window)",
      weight: "light",
      member: "compaction.scope",
    },
    compact_prompt: { kind: "text", text: "replaces our instructions for the summary", member: "compaction.prompt" },
    experimental_compact_prompt_file: {
      kind: "path",
      text: "a file that holds them; wins over `compact_prompt`",
      member: "compaction.promptFile",
    },
    model_reasoning_effort: {
      kind: "text",
      otherwise: "of `models.NAME.sent_effort`, or the provider's",
      text: "how long the model reasons: `none` `minimal` `low` `medium` `high` `xhigh` `max`, or any word. A level that the model is known not to take is refused ([models.md](models.md#what-a-model-takes)); to a model that is not known it is sent as it is",
      weight: "light",
    },
    model_reasoning_summary: {
      kind: ["auto", "concise", "detailed", "none"],
      default: "auto",
      text: "sent to models that reason, and once set to one that is not known",
      weight: "light",
    },
    model_reasoning_context: {
      kind: "reasoning-context",
      otherwise: "of `models.NAME.sent_reasoning_context`, or the provider's",
      text: "which reasoning in the input the model reads: of `all_turns`, or of the `current_turn`; `auto`: the provider's default. Sent to models that take it (GPT-5.6 and later), and to one that is not known",
      weight: "light",
    },
    model_verbosity: {
      kind: "verbosity",
      otherwise: "of `models.NAME.sent_verbosity`, or the provider's",
      text: "how long the model's messages are. Sent to models that take it, and to one that is not known",
      weight: "light",
    },
    model_instructions_file: {
      kind: "path",
      otherwise: "of `models.NAME.instructions_file`",
      text: "replaces the base instructions",
    },
    developer_instructions: {
      kind: "any-text",
      text: "a developer message of your own in each thread",
      member: "developerInstructions",
    },
    service_tier: {
      kind: "text",
      otherwise: "the provider's",
      text: "sent as it is",
      weight: "light",
      member: "serviceTier",
    },
  },
} as const;
