/** What a person is told of a key: in docs/config.md, in the JSON Schema, by `unroll config explain`. */
export interface KeyDoc {
  /** Markdown; empty where the name says it. */
  readonly text: string;
  /** Where the schema says too little: a path, the name of a variable. */
  readonly type?: string;
  /** Where there is none in `defaults`: what it depends on. */
  readonly otherwise?: string;
}

export interface KeySection {
  readonly title: string;
  /** Markdown between the title and the table; empty for none. */
  readonly intro: string;
  /** The table of free names that all keys are in, and what its names are called; null: the keys are at the top. */
  readonly table: "model_providers" | "mcp_servers" | "models" | null;
  /** Dotted key from that table on, `*` for a free name. In the order of the page. */
  readonly keys: Readonly<Record<string, KeyDoc>>;
  /** Markdown behind the table. */
  readonly outro: string;
}

const path = "path";
const paths = "paths";
const variable = "name of a variable";
const patterns = "patterns";

const model: KeySection = {
  title: "### Model",
  intro: "",
  table: null,
  keys: {
    model: {
      text: "the model ([models.md](models.md)). Its family picks instructions and tools; one that is not known gets those of the nearest known beginning of its name, and a notice",
    },
    model_catalog_json: {
      text: "a file with more models, or more about those that are known ([models.md](models.md#a-file))",
      type: path,
    },
    model_provider: { text: "a table of `model_providers`, or `openai` `azure` `ollama` `lmstudio`" },
    oss_provider: {
      text: "the provider of `--oss`: which server runs models on this machine ([providers.md](providers.md#models-on-this-machine))",
    },
    openai_base_url: { text: "moves the provider `openai`; wins over its table, which wins over `OPENAI_BASE_URL`" },
    model_context_window: { text: "", type: "whole number, tokens", otherwise: "of the model" },
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
      text: "`none` `minimal` `low` `medium` `high` `xhigh`, or any word. Where the model is known to take others, the nearest of these is sent, with a warning; to a model that is not known it is sent as it is",
      otherwise: "the provider's, or of `models.NAME.default_effort`",
    },
    model_reasoning_summary: { text: "sent to models that reason, and once set to one that is not known" },
    model_verbosity: { text: "sent to models that take it, and to one that is not known", otherwise: "the provider's" },
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

const modelTables: KeySection = {
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
    default_effort: { text: "sent where `model_reasoning_effort` is not set" },
    supports_reasoning_summaries: { text: "" },
    supports_verbosity: { text: "" },
    supports_images: { text: "`false`: it has no `view_image`, and an image in the input is refused" },
    supports_parallel_tool_calls: { text: "" },
    apply_patch_tool: { text: "`custom`: the freeform tool; `function`: the same patch in a JSON argument" },
    shell_tool: { text: "as the key of that name at the top, which wins" },
    tool_output_token_limit: { text: "as the key of that name at the top, which wins" },
    instructions_file: { text: "in place of the instructions of its family", type: path },
    "price.input": { text: "US dollars per million tokens. Of a price all three are needed", type: "number" },
    "price.cached_input": { text: "of input that the provider had cached", type: "number" },
    "price.output": { text: "", type: "number" },
    hidden: { text: "not listed without `unroll models --all`" },
  },
  outro: "",
};

const providers: KeySection = {
  title: "### `[model_providers.ID]`",
  intro: `Any server of the Responses API; [providers.md](providers.md) has a line to copy for each. A table named \`openai\`, \`azure\`,
\`ollama\` or \`lmstudio\` changes single keys of the built-in provider.`,
  table: "model_providers",
  keys: {
    name: { text: "for messages", otherwise: "the ID" },
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
    supports_compaction: {
      text: "whether the server shortens conversations by itself (`POST /responses/compact`); `true` for the built-in `openai`",
    },
    supports_custom_tools: {
      text: "`false`: tools are functions only, also where the model's family would take a freeform one",
    },
    supports_encrypted_reasoning: {
      text: "`false`: no `include` is sent, so that reasoning comes as the server gives it",
    },
    supports_images: {
      text: "`false`: the model has no `view_image`, and an image in the input is refused",
    },
    supports_prompt_cache_key: { text: "`false`: no `prompt_cache_key` is sent" },
    supports_reasoning_summaries: { text: "`false`: no `reasoning.summary` is sent" },
    supports_store: { text: "`false`: no `store` is sent" },
    supports_web_search: { text: "`false`: the hosted search is not offered to the model, whatever `web_search` says" },
    wire_api: { text: "nothing else is spoken", type: "`responses`" },
    query_params: { text: "put on the URL" },
    http_headers: { text: "sent with each request" },
    env_http_headers: { text: "left out where the variable is unset or blank", type: "table: header to variable" },
    request_max_retries: {
      text: "of requests that did not begin to be answered; more is taken as 100",
      type: "0 to 100",
    },
    stream_max_retries: { text: "of answers that broke off; more is taken as 100", type: "0 to 100" },
    stream_idle_timeout_ms: { text: "the longest silence in an answer" },
  },
  outro: `A provider is taken for Azure (which stores responses) when its ID or \`name\` is \`azure\` or its host is one of Azure's.
What a server says it does not support is not sent; the built-in \`ollama\` and \`lmstudio\` support functions alone.
The built-in \`openai\` takes its key from \`CODEX_API_KEY\`, else \`OPENAI_API_KEY\`, else from the login, and sends \`OPENAI_ORGANIZATION\` and \`OPENAI_PROJECT\`.`,
};

const login: KeySection = {
  title: "### Login",
  intro: "[login.md](login.md) says how to log in and what becomes of it.",
  table: null,
  keys: {
    cli_auth_credentials_store: {
      text: "where the login is kept: `auth.json`, the system keyring, or the keyring and where there is none the file",
    },
    chatgpt_base_url: {
      text: "where requests with a ChatGPT login go (`/codex/responses` is put after it), while nothing moves the provider `openai`",
    },
    forced_login_method: {
      text: "the only way in that counts for `openai` and providers with `requires_openai_auth`: `chatgpt` (keys of variables and kept ones are not used), or `api` (a ChatGPT login is not used). `unroll login` refuses the other",
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

const commands: KeySection = {
  title: "### Commands, sandbox, approvals",
  intro: "",
  table: null,
  keys: {
    sandbox_mode: { text: "how far commands reach" },
    approval_policy: {
      text: "when a person is asked; `unroll exec` never asks. A table has `on-request` ask only what it says: `sandbox_approval` (to leave the sandbox, and dangerous commands), `rules` (what a rule prompts for), `mcp_elicitations` (tools of MCP servers and their forms), each `true` or else refused. `request_permissions` and `skill_approval` are taken, and nothing asks them",
      type: "`untrusted` `on-failure` `on-request` `never`, or `{ granular = { … } }`",
    },
    command_timeout_ms: { text: "how long a command may run when the model names no time" },
    "sandbox_workspace_write.writable_roots": {
      text: "besides the working folder, `/tmp` and `$TMPDIR`; made where missing, or left out with a warning",
      type: paths,
    },
    "sandbox_workspace_write.network_access": { text: "" },
    "sandbox_workspace_write.exclude_slash_tmp": { text: "`/tmp` is not writable" },
    "sandbox_workspace_write.exclude_tmpdir_env_var": { text: "`$TMPDIR` is not writable" },
    "sandbox_workspace_write.git": {
      text: "`writable`: git works, its dangerous files are protected; `protected`: all of `.git` is read-only",
    },
    "sandbox.allow_weaker": { text: "whether a weaker sandbox may stand in where the real one cannot start" },
    "sandbox.max_processes": {
      text: "how many processes and threads commands may add to those that run; `0`: no limit. Not held for root ([sandbox.md](sandbox.md#limits))",
    },
    "sandbox.max_memory_mb": {
      text: "MiB of data that each process of a command may have; `0`: no limit. Node needs 1024, and a build with AddressSanitizer `0`",
    },
    "sandbox.deny_read": {
      text: "what commands cannot read, besides `auth.json`, `mcp-tokens` and config files with credentials. In a folder that commands may write name the folder: a file there is only hidden until it is replaced",
      type: paths,
    },
    "shell_environment_policy.inherit": { text: "which variables commands get" },
    "shell_environment_policy.ignore_default_excludes": {
      text: "keep variables whose names hold KEY, SECRET, TOKEN or PASSWORD. Those of the harness's own keys never get there",
    },
    "shell_environment_policy.exclude": { text: "left out", type: patterns },
    "shell_environment_policy.set": { text: "set after that" },
    "shell_environment_policy.include_only": { text: "where not empty, only these remain", type: patterns },
  },
  outro: "",
};

const tools: KeySection = {
  title: "### Tools and MCP servers",
  intro: "",
  table: null,
  keys: {
    web_search: {
      text: "hosted search: in what the provider has stored, in the pages that it has an index of, or in the web. `--search` is `live`",
      otherwise: "`cached` for the provider `openai`, else `disabled`",
    },
    shell_tool: {
      text: "what the model runs commands with: a script, an argument list, or a script that can go on after the call and be typed at (`exec_command` with `write_stdin`)",
      otherwise: "of the family: `shell_command`",
    },
    mask_secrets: {
      text: "show stand-ins for the credentials that unroll knows in tool outputs and events ([sandbox.md](sandbox.md#keys-in-files-and-outputs))",
    },
    tool_output_token_limit: { text: "how much of one tool output the model sees", otherwise: "10000" },
    mcp_startup_grace_ms: {
      text: "how long the first request waits for MCP servers that are not `required`; who comes later is announced ([mcp.md](mcp.md))",
    },
    mcp_tool_schema_tokens: {
      text: "what the schemas of all MCP tools may cost in each request; over it, the largest servers are found by search instead",
    },
  },
  outro: "`[mcp_servers.ID]` is a program with `command`, or an address with `url`; one of the two.",
};

const servers: KeySection = {
  title: "### `[mcp_servers.ID]`",
  intro: "",
  table: "mcp_servers",
  keys: {
    command: { text: "the program" },
    args: { text: "its arguments" },
    env: { text: "set in its environment, which else holds `PATH`, `HOME` and the like only" },
    env_vars: {
      text: "of unroll's own environment, passed on; those with unroll's own keys are not",
      type: "names of variables",
    },
    cwd: { text: "where it runs", type: path, otherwise: "the working folder" },
    url: { text: "of a streamable HTTP server; no user name or password in it" },
    bearer_token_env_var: { text: "holds its token", type: variable },
    http_headers: { text: "as of a provider" },
    env_http_headers: { text: "as of a provider", type: "table: header to variable" },
    enabled: { text: "" },
    required: { text: "without it no thread starts" },
    startup_timeout_sec: { text: "" },
    tool_timeout_sec: { text: "" },
    enabled_tools: { text: "the only ones", otherwise: "all" },
    disabled_tools: { text: "taken away after that" },
    default_tools_approval_mode: {
      text: "whether a person is asked before one of its tools is called ([mcp.md](mcp.md#approvals))",
    },
    "tools.*.approval_mode": { text: "for the tool that the server calls NAME", otherwise: "the server's" },
  },
  outro: "",
};

const instructions: KeySection = {
  title: "### Instructions in files",
  intro: "",
  table: null,
  keys: {
    project_doc_max_bytes: { text: "of all AGENTS.md of a project together; 0 reads none" },
    project_doc_fallback_filenames: { text: "read where a folder has no AGENTS.md" },
  },
  outro: "",
};

const skills: KeySection = {
  title: "### Skills",
  intro: "[skills.md](skills.md) says where they lie. Those of a project are read where it is trusted.",
  table: null,
  keys: {
    "skills.include_instructions": {
      text: "whether the model is given the list of skills; without it they work by mention (`$name`)",
    },
    "skills.config": {
      text: "turns skills off and on: each with `path` (of a SKILL.md or its folder) or `name`, and `enabled`; of several for one skill the last counts",
      type: "tables",
    },
  },
  outro: "",
};

const dollars = "number, US dollars";

const budgets: KeySection = {
  title: "### Budgets",
  intro: `What may be spent. 0 is no limit, and so is a key that is not set; a limit of the command line wins. [exec.md](exec.md) says what counts,
and how a run ends.`,
  table: null,
  keys: {
    "budget.max_turns": {
      text: "of one run, which is a turn of the conversation with all its requests: requests to the model that are answered",
    },
    "budget.max_tokens": { text: "of one run: input and output of all requests" },
    "budget.max_cost": { text: "of one run, by the price of the model, which must be known", type: dollars },
    "budget.max_time_sec": { text: "of one run: a step that runs is ended, too" },
    "budget.thread.max_turns": {
      text: "of a thread over all its runs, in whatever process, with the threads that it opens; what was spent is kept with the thread",
    },
    "budget.thread.max_tokens": { text: "the same of its tokens" },
    "budget.thread.max_cost": { text: "the same of its cost", type: dollars },
    "repeated_calls.nudge_after": {
      text: "after so many steps in a row of calls that were made before in the turn, with the same results, the model is told so; 0: never",
    },
    "repeated_calls.stop_after": { text: "after so many the turn ends; 0: never" },
  },
  outro: "",
};

const threads: KeySection = {
  title: "### Threads",
  intro: "",
  table: null,
  keys: {
    "history.persistence": {
      text: "whether `unroll` and `unroll exec` keep their threads ([threads.md](threads.md))",
    },
  },
  outro: "",
};

const terminal: KeySection = {
  title: "### The terminal program",
  intro: "",
  table: null,
  keys: {
    "tui.theme": { text: "colours; `auto` asks the terminal for its background" },
    "tui.animations": { text: "whether anything moves by itself, as `--no-animation` says" },
    "tui.status_line": {
      text: "what the status line shows, in this order ([terminal.md](terminal.md#status-line))",
      type: "names",
      otherwise: "the usual ones",
    },
    "tui.notifications": { text: "whether the terminal is told when a turn ends or asks, while you look elsewhere" },
    "tui.notification_method": {
      text: "how: by OSC 9, by OSC 777, by the bell; `auto`: OSC 9 where it is known, else the bell",
    },
    notify: {
      text: "started at the same moments, with one argument of JSON behind its own",
      type: "strings: a program and its arguments",
    },
  },
  outro: "",
};

const others: KeySection = {
  title: "### Output, profiles, projects",
  intro: "",
  table: null,
  keys: {
    hide_agent_reasoning: { text: "do not show the model's reasoning" },
    profile: { text: "the profile to use without `-p`" },
    "profiles.*": { text: "any key of this page but `profile`, `profiles`, `projects`", type: "table" },
    "projects.*.trust_level": {
      text: "whether the project's own configuration and skills are read; `untrusted` also ends the notice about it",
    },
  },
  outro: "",
};

/** In the order of the page. */
export const keySections: readonly KeySection[] = [
  model,
  modelTables,
  providers,
  login,
  commands,
  tools,
  servers,
  instructions,
  skills,
  budgets,
  threads,
  terminal,
  others,
];
