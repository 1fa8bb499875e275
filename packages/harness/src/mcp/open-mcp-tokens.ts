import { type ResolvedConfig, toMcpTokenFolder } from "@unroll/config";
import type { McpPoolOptions } from "@unroll/mcp";

/** Where logins to MCP servers are kept, as the config wants it. */
export async function openMcpTokens({
  codexHome,
  login,
}: Pick<ResolvedConfig, "codexHome" | "login">): Promise<McpPoolOptions["tokens"]> {
  const [{ openSecretStore }, { createMcpTokenStore }] = await Promise.all([
    import("@unroll/auth"),
    import("@unroll/mcp"),
  ]);
  return createMcpTokenStore(
    openSecretStore({
      codexHome,
      storage: login.mcpStorage,
      folder: toMcpTokenFolder(codexHome),
      service: "unroll MCP logins",
      setting: "mcp_oauth_credentials_store",
    }),
  );
}
