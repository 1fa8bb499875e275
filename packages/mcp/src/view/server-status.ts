import type { McpServerStatus } from "@unroll/protocol";
import type { SupervisedServer } from "../server/supervised-server.ts";
import { sumToolTokens } from "../tool/estimate-tool-tokens.ts";

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
