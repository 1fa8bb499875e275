import type { McpHttpServerOptions } from "../server-options.ts";
import type { McpTokenStore } from "./token-store.ts";

export interface McpLoginOptions {
  readonly server: McpHttpServerOptions;
  /** Gets the tokens. */
  readonly tokens: McpTokenStore;
  /** Who asks, as the person reads it on the page of the authorization server. */
  readonly clientName: string;
  /** Opens the page in a browser, or shows its address. */
  readonly openPage: (url: string) => Promise<void>;
  /** Where the browser comes back to, on 127.0.0.1. Absent: any free port. */
  readonly callbackPort?: number;
  /** An unguessable text, new at each call. */
  readonly createState: () => string;
  /** Give it a time-out: a person may never come back. */
  readonly signal: AbortSignal;
}

export type McpLoginOutcome =
  | { readonly type: "logged_in" }
  /** `message`: why, and what to do. */
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "cancelled" };

/**
 * Logs in to a server by OAuth 2.1: finds its authorization server, registers as a client, sends the person to its page
 * (PKCE) and waits on a loopback port for the code. Leaves nothing running. Expected failures are outcomes.
 */
export async function logInToMcpServer(options: McpLoginOptions): Promise<McpLoginOutcome> {
  const { runLogin } = await import("./run-login.ts");
  return runLogin(options);
}
