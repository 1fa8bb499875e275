import { checkShape } from "@unroll/text";
import type { ProxyEnv } from "./open-fetch.ts";
import type { McpTokenStore } from "./token-store.ts";

export interface McpLogoutOptions {
  /** The server's id. */
  readonly server: string;
  readonly tokens: McpTokenStore;
  /** Absent: no proxy. */
  readonly proxyEnv?: ProxyEnv | undefined;
  readonly signal: AbortSignal;
}

/** The outcome of a logout. */
export type McpLogoutOutcome =
  | { readonly type: "not_logged_in" }
  /**
   * The login was forgotten here. `isRevoked`: the authorization server has ended it too, which not
   * all servers support.
   */
  | { readonly type: "logged_out"; readonly isRevoked: boolean };

/**
 * Forgets the login of a server and asks the authorization server to revoke it (RFC 7009), if it
 * can be reached.
 */
export async function logOutOfMcpServer(options: McpLogoutOptions): Promise<McpLogoutOutcome> {
  const shape = { server: "text", "tokens.read": "a function", "tokens.remove": "a function" } as const;
  checkShape("logOutOfMcpServer", options, shape);
  const { server, tokens, proxyEnv, signal } = options;
  const credentials = await tokens.read(server);
  if (credentials === null) return { type: "not_logged_in" };
  await tokens.remove(server);
  const { revokeTokens } = await import("./revoke-tokens.ts");
  return { type: "logged_out", isRevoked: await revokeTokens(credentials, { proxyEnv, signal }) };
}
