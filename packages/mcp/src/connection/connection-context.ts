import type { McpTokenStore } from "../oauth/token-store.ts";
import type { ElicitationPort } from "../session/elicitation.ts";
import type { StopGraces, Watchdog } from "@unroll/process-tree";
import type { EventLog } from "./event-log.ts";

/** What all connections share. */
export interface ConnectionContext {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly roots: readonly string[];
  readonly elicit: ElicitationPort;
  readonly tokens: McpTokenStore;
  readonly logDirectory: string;
  readonly maxMessageBytes: number;
  readonly newMarker: () => string;
  readonly graces: StopGraces;
  /** A monotonic clock in ms. */
  readonly now: () => number;
  readonly events: EventLog;
  readonly watchdog: Watchdog;
}
