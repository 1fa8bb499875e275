import type { McpFailure, McpTool } from "@unroll/protocol";
import type { SupervisedServer } from "../server/supervised-server.ts";
import { sumToolTokens } from "../tool/estimate-tool-tokens.ts";

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

/** Null: a server that is not enabled. */
export function toServerStatus(id: string, server: SupervisedServer | null): McpServerStatus {
  const base = { id, tools: [], tokens: 0, failure: null };
  const current = server?.status() ?? { type: "disabled" };
  switch (current.type) {
    case "disabled":
    case "starting":
      return { ...base, state: current.type };
    case "ready":
      return { ...base, state: "ready", tools: current.tools(), tokens: sumToolTokens(current.tools()) };
    case "failed":
      return { ...base, state: "failed", failure: current };
  }
}
