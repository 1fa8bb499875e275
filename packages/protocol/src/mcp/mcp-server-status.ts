import type { McpFailure } from "./mcp-call.ts";
import type { McpTool } from "./mcp-tool.ts";

/** One server as a person wants to see it. */
export interface McpServerStatus {
  readonly id: string;
  readonly state: "disabled" | "starting" | "ready" | "failed";
  /** Empty unless it is ready. */
  readonly tools: readonly McpTool[];
  /** About what they cost in every request. */
  readonly tokens: number;
  /** Why it failed or ended; null otherwise. */
  readonly failure: McpFailure | null;
}
