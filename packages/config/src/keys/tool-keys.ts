export const toolKeys = {
  title: "Tools and MCP servers",
  keys: {
    web_search: {
      kind: ["disabled", "cached", "indexed", "live"],
      otherwise: "`cached` for the provider `openai`, else `disabled`",
      text: "the provider's hosted search: in stored pages, in its index, or in the live web. `--search` means `live`",
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
      otherwise: "`exec_command` for the families `gpt-5` and `gpt-5-codex`, else `shell_command`",
      text: "the tool that runs commands: `shell_command` takes a script, `shell` an argument list. `exec_command` takes a script that may keep running and read input (`write_stdin`)",
    },
    mask_secrets: {
      kind: "boolean",
      default: true,
      text: "replace credentials that unroll knows with placeholders in tool outputs and events ([sandbox.md](sandbox.md#keys-in-files-and-outputs))",
      weight: "guard",
      by: "user",
      member: "maskSecrets",
    },
    tool_output_token_limit: {
      kind: "positive",
      otherwise: "10000",
      text: "how many tokens of a tool output the model reads",
    },
    mcp_startup_grace_ms: {
      kind: "milliseconds-from-0",
      default: 1500,
      text: "how long the first request waits for MCP servers that are not `required`. The model learns of later ones by a message ([mcp.md](mcp.md))",
      weight: "light",
      member: "mcpStartupGraceMs",
    },
    mcp_tool_schema_tokens: {
      kind: "count",
      default: 15_000,
      text: "how many tokens the schemas of all MCP tools may use in a request. Above it, the model finds the tools of the largest servers by search",
      weight: "light",
      member: "mcpToolSchemaTokens",
    },
  },
  outro: "Each `[mcp_servers.ID]` has either `command` (a program to start) or `url` (an HTTP server).",
} as const;
