import type { McpHttpServerConfig } from "@unroll/protocol";
import type { McpVariables } from "../settings/mcp-variables.ts";
import type { ResolveHost } from "./local-address.ts";
import type { ProxyEnv } from "./open-fetch.ts";
import type { McpTokenStore } from "./token-store.ts";

/** Which server to log in to, and how to show the user its page. */
export interface McpLoginOptions {
  readonly server: McpHttpServerConfig;
  readonly variables: Pick<McpVariables, "credential">;
  /** Saves the tokens. */
  readonly tokens: McpTokenStore;
  /** Absent: no proxy. */
  readonly proxyEnv?: ProxyEnv | undefined;
  /** The program's name on the authorization server's page. */
  readonly clientName: string;
  /** Opens the page in a browser, or shows its address. */
  readonly openPage: (url: string) => Promise<void>;
  /**
   * Called with each host that only the server names, before it is contacted, once per host.
   * Absent: not reported.
   */
  readonly onHost?: (host: string) => void;
  /** The addresses of a host; rejects if there is none. Absent: the system's resolver. */
  readonly resolveHost?: ResolveHost;
  /** The port on 127.0.0.1 to which the browser returns. Absent: any free port. */
  readonly callbackPort?: number;
  /** An unguessable text, new at each call. */
  readonly createState: () => string;
  /** Give it a timeout: the user may never come back. */
  readonly signal: AbortSignal;
}

/** The outcome of a login. */
export type McpLoginOutcome =
  /** `notices`: what else happened, in sentences for the user. */
  | { readonly type: "logged_in"; readonly notices: readonly string[] }
  /** `message`: why, and what to do. */
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "cancelled" };
