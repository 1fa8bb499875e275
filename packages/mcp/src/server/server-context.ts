import type { Clock } from "@unroll/flow";
import type { StopGraces, Watchdog } from "@unroll/process-tree";
import type { ProxyEnv } from "../oauth/open-fetch.ts";
import type { McpConnect } from "../client/mcp-connect.ts";
import type { McpTokenStore } from "../oauth/token-store.ts";
import type { McpEvent } from "./mcp-event.ts";

/** In ms: how long each part of a server's end may take (see `StopGraces`), and its remaining output. */
export interface McpGraces extends StopGraces {
  /** For the last output of a program that has ended. */
  readonly drainMs: number;
  /** For a service's response to our goodbye. */
  readonly goodbyeMs: number;
}

/** The context that all servers share. */
export interface ServerContext extends Pick<Clock, "elapsed" | "sleep"> {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly roots: readonly string[];
  readonly tokens: McpTokenStore;
  /** `https_proxy`, `http_proxy` and `no_proxy` are read from it. Absent: no proxy. */
  readonly proxyEnv?: ProxyEnv | undefined;
  readonly logDirectory: string;
  /** Masks credentials in what servers write to stderr, and in descriptions of tools. */
  readonly mask: (text: string) => string;
  readonly maxMessageBytes: number;
  readonly graces: McpGraces;
  /** Returns a marker that no other process tree has. */
  readonly newMarker: () => string;
  /** Receives events of servers, as they happen. */
  readonly tell: (event: McpEvent) => void;
  readonly watchdog: Watchdog;
  /** Absent: by its program or address. */
  readonly connect?: McpConnect | undefined;
}
