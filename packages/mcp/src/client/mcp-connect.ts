import type { McpServerConfig } from "@unroll/protocol";
import type { Connection } from "./connection.ts";

/** What a server tells by itself. */
interface McpReports {
  /** Its tools are others now. */
  readonly onToolsChanged: () => void;
  /** It ended by itself: `exit code 1`. */
  readonly onEnded: (how: string) => void;
}

/**
 * Reaches a server in another way than by its program or address, which are not looked at then. Throws `ServerFault` and nothing
 * else, also when the signal aborts.
 */
export type McpConnect = (server: McpServerConfig, reports: McpReports, signal: AbortSignal) => Promise<Connection>;
