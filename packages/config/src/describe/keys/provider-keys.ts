import { type KeySection, path, variable } from "./key-section.ts";

const otherwise = "by the preset";

export const providerKeys: KeySection = {
  title: "### `[model_providers.ID]`",
  intro: `Any server of the Responses API; [providers.md](providers.md) has a line to copy for each. A table named \`openai\`, \`azure\`,
\`ollama\` or \`lmstudio\` changes single keys of the built-in provider.`,
  table: "model_providers",
  keys: {
    name: { text: "for messages", otherwise: "the ID" },
    preset: {
      text: "which server it is, or whose requests a gateway takes: it decides what is sent ([providers.md](providers.md#what-a-server-supports)). `openai` for gateways to OpenAI",
      otherwise:
        "known for the built-in providers and the hosts of OpenAI, ChatGPT, Azure and OpenRouter; for others what most servers take",
    },
    base_url: {
      text: "`http` or `https`; `/responses` is put after it. No user name, no query",
      otherwise: "required",
    },
    env_key: { text: "holds the API key, sent as bearer token. The variable, not the key itself", type: variable },
    env_key_instructions: { text: "shown to who has no key" },
    key_header: {
      text: "the header that the key of `env_key` is sent in, as it is; in `authorization` it is a bearer token. Tokens of the file or of a command are always that. `api-key` for the built-in `azure`",
      type: "name of a header",
    },
    experimental_bearer_token: { text: "the token itself; wins over `env_key`" },
    auth_command: {
      text: "prints the key, when no variable has one; run once, and again after a 401 ([login.md](login.md#a-key-from-a-command))",
      type: "strings: a program and its arguments",
    },
    auth_command_timeout_ms: { text: "how long it may take" },
    "auth.command": {
      text: "the same as Codex CLI has it: a program that prints the key. Without a slash it is looked for on `PATH`",
      otherwise: "required in `auth`",
    },
    "auth.args": { text: "its arguments" },
    "auth.timeout_ms": { text: "how long it may take" },
    "auth.refresh_interval_ms": { text: "how old a key may become before it is run again; `0`: only after a 401" },
    "auth.cwd": { text: "where it runs", type: path, otherwise: "your home folder" },
    requires_openai_auth: {
      text: "take the key from `CODEX_API_KEY` or `OPENAI_API_KEY` when `env_key` gives none, else the login of `unroll login`",
    },
    supports_any_items: {
      text: "`false`: items are sent as messages and functions. Calls of freeform tools become calls of functions, hosted searches and what another server compacted become messages, sealed reasoning and ids go only to the server that made them, and no member is null",
      otherwise,
    },
    supports_compaction: {
      text: "whether the server shortens conversations by itself (`POST /responses/compact`)",
      otherwise,
    },
    supports_custom_tools: {
      text: "`false`: tools are functions only, also where the model's family would take a freeform one",
      otherwise,
    },
    supports_developer_messages: {
      text: "`false`: one system text. The developer messages that a thread begins with are part of `instructions`, later ones are sent as the user's",
      otherwise,
    },
    supports_encrypted_reasoning: {
      text: "`false`: no `include` is sent, so that reasoning comes as the server gives it",
      otherwise,
    },
    supports_images: {
      text: "`false`: the model has no `view_image`, and an image in the input is refused",
      otherwise,
    },
    supports_prompt_cache_key: { text: "`false`: no `prompt_cache_key` is sent", otherwise },
    supports_reasoning_items: {
      text: "`false`: the model's reasoning is not sent back",
      otherwise: "by the preset and the model",
    },
    supports_reasoning_summaries: { text: "`false`: no `reasoning.summary` is sent", otherwise },
    supports_repeated_roles: {
      text: "`false`: user and assistant speak in turn. New messages of the user become one; behind one that was sent goes a short line in the name of the assistant. Implies `supports_developer_messages = false`",
      otherwise,
    },
    supports_store: { text: "`false`: no `store` is sent", otherwise },
    supports_web_search: {
      text: "`false`: the hosted search is not offered to the model, whatever `web_search` says",
      otherwise,
    },
    thread_headers: {
      text: "how the provider learns which requests belong to one thread, to find their [cache](cache.md#one-machine-for-a-thread): `hyphen` sends `session-id`, `thread-id` and `x-client-request-id`, `both` also `session_id` for older proxies, `none` nothing",
      otherwise: "`none` by the presets of servers on this machine, else `hyphen`",
    },
    wire_api: { text: "nothing else is spoken", type: "`responses`" },
    query_params: { text: "put on the URL" },
    http_headers: { text: "sent with each request" },
    env_http_headers: { text: "left out where the variable is unset or blank", type: "table: header to variable" },
    request_max_retries: {
      text: "of requests that did not begin to be answered; more is taken as 100. Each wait is as the server says (120 s at most, and told), else 0.2 s, or 2 s of a server that is busy, doubled each time",
      type: "0 to 100",
    },
    stream_max_retries: { text: "of answers that broke off; more is taken as 100", type: "0 to 100" },
    stream_idle_timeout_ms: { text: "the longest silence in an answer" },
    startup_timeout_ms: {
      text: "how long a request waits for a server that is loading its model, has a full queue or is restarting; 0: fail at once",
    },
  },
  outro: `A provider is taken for Azure (which stores responses) when its ID or \`name\` is \`azure\` or its host is one of Azure's.
What a server says it does not support is not sent; the built-in \`ollama\` and \`lmstudio\` support functions alone.
The built-in \`openai\` takes its key from \`CODEX_API_KEY\`, else \`OPENAI_API_KEY\`, else from the login, and sends \`OPENAI_ORGANIZATION\` and \`OPENAI_PROJECT\`.`,
};

export const loginKeys: KeySection = {
  title: "### Login",
  intro: "[login.md](login.md) says how to log in and what becomes of it.",
  table: null,
  keys: {
    cli_auth_credentials_store: {
      text: "where the login is kept: `auth.json`, the system keyring, or the keyring and where there is none the file",
    },
    mcp_oauth_credentials_store: {
      text: "the same for [logins to MCP servers](login.md#what-is-kept-and-where); their files are in `mcp-tokens`",
    },
    chatgpt_base_url: {
      text: "where requests with a ChatGPT login go (`/codex/responses` is put after it), while nothing moves the provider `openai`",
    },
    forced_login_method: {
      text: "the only way in that counts for `openai` and providers with `requires_openai_auth`: `chatgpt` (keys of variables and kept ones are not used), or `api` (a ChatGPT login is not used). `unroll login`, `/login`, the app-server and ACP refuse the other",
    },
    "login.issuer": { text: "the OAuth server; `https`, or `http` on this machine" },
    "login.client_id": { text: "by which it knows this program", otherwise: "that of the Codex CLI" },
    "login.scopes": { text: "what is asked for" },
    "login.hosts": {
      text: "further hosts (`host` or `host:port`) that may be asked when the issuer names them; no others are",
    },
  },
  outro: "",
};
