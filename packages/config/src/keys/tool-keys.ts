export const toolKeys = {
  title: "Tools and MCP servers",
  keys: {
    web_search: {
      kind: ["disabled", "cached", "indexed", "live"],
      otherwise: "`cached` for the provider `openai`, else `disabled`",
      text: "hosted search: in what the provider has stored, in the pages that it has an index of, or in the web. `--search` is `live`",
      weight: "guard",
      flag: {
        names: "--search",
        text: "let the model search the web: same as -c web_search=live",
        of: "settings",
        value: "live",
      },
    },
    shell_tool: {
      kind: "shell-tool",
      otherwise: "of the family: `exec_command` for `gpt-5` and `gpt-5-codex`, else `shell_command`",
      text: "what the model runs commands with: a script, an argument list, or a script that can go on after the call and be typed at (`exec_command` with `write_stdin`)",
    },
    mask_secrets: {
      kind: "boolean",
      default: true,
      text: "show stand-ins for the credentials that unroll knows in tool outputs and events ([sandbox.md](sandbox.md#keys-in-files-and-outputs))",
      weight: "guard",
      by: "user",
      member: "maskSecrets",
    },
    tool_output_token_limit: {
      kind: "positive",
      otherwise: "10000",
      text: "how much of one tool output the model sees",
      weight: "light",
    },
    mcp_startup_grace_ms: {
      kind: "milliseconds-from-0",
      default: 1500,
      text: "how long the first request waits for MCP servers that are not `required`; who comes later is announced ([mcp.md](mcp.md))",
      weight: "light",
      member: "mcpStartupGraceMs",
    },
    mcp_tool_schema_tokens: {
      kind: "count",
      default: 15_000,
      text: "what the schemas of all MCP tools may cost in each request; over it, the largest servers are found by search instead",
      weight: "light",
      member: "mcpToolSchemaTokens",
    },
  },
  outro: "`[mcp_servers.ID]` is a program with `command`, or an address with `url`; one of the two.",
} as const;
