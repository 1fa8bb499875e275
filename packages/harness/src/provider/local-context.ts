import type { Host } from "../host/host.ts";

/** What a question to a local server needs besides the config. */
export interface LocalContext {
  /** Holds the provider's key, if it wants one, and the proxies that its requests go through. */
  readonly env: Host["env"];
  readonly signal: AbortSignal;
}
