/** The clients of run.mjs, as npm installs them. */
export const clientPackages = [
  "ai",
  "zod",
  "ai-sdk-provider-codex-cli",
  "ai-sdk-provider-codex-app-server",
  "@zakstam/codex-local-component",
  "@agentclientprotocol/codex-acp",
  "codex-mcp-server",
  "ralphy-cli",
  "@unified-agent-sdk/provider-codex",
  "acpx",
  "acp-factory",
  "@mcpc-tech/acp-ai-provider",
  "@thinkwell/conductor",
  "sandbox-agent",
  "@modelcontextprotocol/sdk",
];
