import type { McpServerConfig } from "@unroll/protocol";
import type { Connection } from "./connection.ts";

/** Reports that a server sends by itself. */
interface McpReports {
  /** Its tools have changed. */
  readonly onToolsChanged: () => void;
  /** It ended by itself: `exit code 1`. */
  readonly onEnded: (how: string) => void;
}

/**
 * Connects to a server in another way than by its program or address, which are then ignored.
 * Throws only `ServerFault`, also when the signal aborts.
 */
export type McpConnect = (server: McpServerConfig, reports: McpReports, signal: AbortSignal) => Promise<Connection>;
