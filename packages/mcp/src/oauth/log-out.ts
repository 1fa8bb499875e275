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

/** What came of a logout. */
export type McpLogoutOutcome =
  | { readonly type: "not_logged_in" }
  /** Forgotten here. `isRevoked`: the authorization server has ended the login, too; not all of them offer that. */
  | { readonly type: "logged_out"; readonly isRevoked: boolean };

/** Forgets the login of a server and asks the authorization server to end it (RFC 7009), where it can be reached. */
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
