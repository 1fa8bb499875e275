import type { McpHttpServerConfig } from "@unroll/protocol";
import type { McpVariables } from "../settings/mcp-variables.ts";
import type { ResolveHost } from "./local-address.ts";
import type { ProxyEnv } from "./open-fetch.ts";
import type { McpTokenStore } from "./token-store.ts";

export interface McpLoginOptions {
  readonly server: McpHttpServerConfig;
  readonly variables: Pick<McpVariables, "credential">;
  /** Gets the tokens. */
  readonly tokens: McpTokenStore;
  /** Absent: no proxy. */
  readonly proxyEnv?: ProxyEnv | undefined;
  /** Who asks, as the person reads it on the page of the authorization server. */
  readonly clientName: string;
  /** Opens the page in a browser, or shows its address. */
  readonly openPage: (url: string) => Promise<void>;
  /** Tells the person a host that the server names, before it is asked; once each. Absent: nobody is told. */
  readonly onHost?: (host: string) => void;
  /** Gives the addresses of a host; rejects where there is none. Absent: the system's resolver. */
  readonly resolveHost?: ResolveHost;
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
