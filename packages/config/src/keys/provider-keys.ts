export const providerKeys = {
  title: "`[model_providers.ID]`",
  intro: `A provider is any server with the Responses API; [providers.md](providers.md) has a line to copy for each common one. A table with the
name of a built-in provider (\`openai\`, \`azure\`, \`ollama\`, …) changes single keys of it.`,
  table: "model_providers",
  by: "user",
  keys: {
    name: { kind: "text", otherwise: "the ID", text: "the name that messages show" },
    preset: {
      kind: ["openai", "azure", "chatgpt", "ollama", "lmstudio", "llama.cpp", "sglang", "vllm", "openrouter"],
      otherwise:
        "known for built-in providers and for the hosts of OpenAI, ChatGPT, Azure and OpenRouter. Others get what most servers support",
      text: "which server this is, which decides what unroll sends ([providers.md](providers.md#what-a-server-supports)). Use `openai` for gateways to OpenAI",
    },
    base_url: {
      kind: "address",
      otherwise: "required",
      text: "an `http` or `https` address without user name and query; `/responses` is appended",
    },
    env_key: {
      kind: "variable",
      text: "the name of the variable that holds the API key, which is sent as a bearer token",
    },
    env_key_instructions: { kind: "any-text", text: "shown if the variable is not set", member: "envKeyInstructions" },
    key_header: {
      kind: "header-name",
      default: "authorization",
      text: "the header for the key of `env_key`. The built-in `azure` uses `api-key` ([config.md](config.md#headers-for-keys))",
    },
    experimental_bearer_token: { kind: "secret", text: "the token itself; overrides `env_key`" },
    auth_command: {
      kind: "command",
      text: "a command that prints the key, used if no variable has one. It runs once, and again after a 401 ([login.md](login.md#use-a-key-from-a-command))",
    },
    auth_command_timeout_ms: { kind: "milliseconds", default: 10_000, text: "how long that command may take" },
    "auth.command": {
      kind: "text",
      otherwise: "required in `auth`",
      text: "a program that prints the key, in the form of the Codex CLI. Without a slash it is searched on `PATH`",
      required: true,
    },
    "auth.args": { kind: "arguments", default: [], text: "its arguments" },
    "auth.timeout_ms": { kind: "milliseconds", default: 5000, text: "how long the program may take" },
    "auth.refresh_interval_ms": {
      kind: "milliseconds-or-never",
      default: 300_000,
      text: "how old a key may become before the program runs again; `0`: only after a 401",
    },
    "auth.cwd": { kind: "path", otherwise: "your home folder", text: "its working folder" },
    requires_openai_auth: {
      kind: "boolean",
      default: false,
      text: "`true`: if `env_key` gives no key, use `CODEX_API_KEY` or `OPENAI_API_KEY`, else your `unroll login`",
      member: "requiresOpenaiAuth",
    },
    supports_any_items: {
      kind: "boolean",
      otherwise: "by the preset",
      text: "`false`: items are sent as messages and functions only ([providers.md](providers.md#the-form-that-most-servers-take))",
      member: "takes.anyItems",
    },
    supports_compaction: {
      kind: "boolean",
      otherwise: "by the preset",
      text: "whether the server can compact threads (`POST /responses/compact`)",
      member: "takes.compaction",
    },
    supports_custom_tools: {
      kind: "boolean",
      otherwise: "by the preset",
      text: "`false`: all tools are functions, even if the model's family would use a freeform tool",
      member: "takes.customTools",
    },
    supports_developer_messages: {
      kind: "boolean",
      otherwise: "by the preset",
      text: "`false`: the first developer messages of a thread become part of `instructions`, and later ones are sent as user messages",
      member: "takes.developerMessages",
    },
    supports_encrypted_reasoning: {
      kind: "boolean",
      otherwise: "by the preset",
      text: "`false`: no `include` is sent, so reasoning arrives unencrypted if the server sends it",
      member: "takes.encryptedReasoning",
    },
    supports_images: {
      kind: "boolean",
      otherwise: "by the preset",
      text: "`false`: the model gets no `view_image` tool, and images in your input are refused",
      member: "takes.images",
    },
    supports_prompt_cache_key: {
      kind: "boolean",
      otherwise: "by the preset",
      text: "`false`: no `prompt_cache_key` is sent",
      member: "takes.promptCacheKey",
    },
    supports_reasoning_items: {
      kind: "boolean",
      otherwise: "by the preset and the model",
      text: "`false`: the model's reasoning is not sent back",
      member: "takes.reasoningItems",
    },
    supports_reasoning_summaries: {
      kind: "boolean",
      otherwise: "by the preset",
      text: "`false`: no `reasoning.summary` is sent",
      member: "takes.reasoningSummaries",
    },
    supports_repeated_roles: {
      kind: "boolean",
      otherwise: "by the preset",
      text: "`false`: user and assistant messages alternate ([providers.md](providers.md#the-form-that-most-servers-take)). Implies `supports_developer_messages = false`",
      member: "takes.repeatedRoles",
    },
    supports_store: {
      kind: "boolean",
      otherwise: "by the preset",
      text: "`false`: no `store` is sent",
      member: "takes.store",
    },
    supports_web_search: {
      kind: "boolean",
      otherwise: "by the preset",
      text: "`false`: the model gets no hosted search, whatever `web_search` says",
      member: "takes.webSearch",
    },
    thread_headers: {
      kind: "thread-headers",
      otherwise: "`none` for the presets of local servers, else `hyphen`",
      text: "headers that tell the provider which requests belong to one thread, so that it finds their [cache](cache.md#one-machine-for-a-thread). [config.md](config.md#headers-for-threads) explains the values",
    },
    wire_api: { kind: "wire-api", default: "responses", text: "the only supported API" },
    query_params: { kind: "named-texts", text: "parameters added to the URL" },
    http_headers: { kind: "headers", text: "headers sent with each request" },
    env_http_headers: {
      kind: "variable-headers",
      text: "headers whose values are in variables; left out if the variable is unset or blank",
    },
    request_max_retries: {
      kind: "retries",
      default: 4,
      text: "retries of a request that got no response; larger values count as 100. [config.md](config.md#waits-between-retries) explains the waits",
      member: "requestMaxRetries",
    },
    stream_max_retries: {
      kind: "retries",
      default: 5,
      text: "retries of a response that broke off; larger values count as 100",
      member: "streamMaxRetries",
    },
    response_timeout_ms: {
      kind: "milliseconds",
      default: 300_000,
      text: "how long the server may take to begin its response: local servers read the prompt first",
      member: "responseTimeoutMs",
    },
    stream_idle_timeout_ms: {
      kind: "milliseconds",
      default: 300_000,
      text: "the longest wait for the next event of a response. A comment counts as an event, parts of one do not",
      member: "streamIdleTimeoutMs",
    },
    startup_timeout_ms: {
      kind: "milliseconds-from-0",
      default: 300_000,
      text: "how long a request waits for a server that is loading its model, has a full queue or is restarting; `0`: fail at once",
      member: "startupTimeoutMs",
    },
  },
  outro: `A provider counts as Azure, which stores responses, if its ID or \`name\` is \`azure\` or its host belongs to Azure.
The built-in \`openai\` takes its key from \`CODEX_API_KEY\`, else from \`OPENAI_API_KEY\`, else from your login. It sends
\`OPENAI_ORGANIZATION\` and \`OPENAI_PROJECT\`.`,
} as const;
