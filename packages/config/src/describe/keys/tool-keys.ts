import { type KeySection, path, variable } from "./key-section.ts";

export const toolKeys: KeySection = {
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
      otherwise: "of the family: `exec_command` for `gpt-5` and `gpt-5-codex`, else `shell_command`",
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

export const serverKeys: KeySection = {
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
    "oauth.client_id": {
      text: "the client that `unroll mcp login` logs in as, where its authorization server knows one already",
      otherwise: "registered at each login",
    },
    "oauth.client_secret_env_var": { text: "holds that client's secret", type: variable },
    "oauth.client_metadata_url": {
      text: "where a client is described (https); used as its id where the authorization server takes that",
    },
    "oauth.scopes": { text: "asked for at a login", otherwise: "`scopes`" },
    scopes: { text: "the same, as the Codex CLI has it", otherwise: "what the server names" },
    http_headers: { text: "as of a provider" },
    env_http_headers: { text: "as of a provider", type: "table: header to variable" },
    enabled: { text: "`false`: it is not started, and has no tools" },
    required: { text: "without it no thread starts" },
    startup_timeout_sec: { text: "how long it may take until it can be asked" },
    tool_timeout_sec: { text: "how long one call may take" },
    enabled_tools: { text: "the only ones", otherwise: "all" },
    disabled_tools: { text: "taken away after that" },
    default_tools_approval_mode: {
      text: "whether a person is asked before one of its tools is called ([mcp.md](mcp.md#approvals))",
    },
    "tools.*.approval_mode": { text: "for the tool that the server calls NAME", otherwise: "the server's" },
  },
  outro: "",
};
