import type { WebSearchMode } from "@unroll/protocol";
import type { HostedTool } from "../tool/tool.ts";

/** The provider's own search. `cached` keeps it to pages that the provider has stored, `indexed` to those that it knows of. */
export function createWebSearchTool(mode: Exclude<WebSearchMode, "disabled">): HostedTool {
  const spec = {
    type: "web_search",
    external_web_access: mode !== "cached",
    ...(mode === "indexed" ? { indexed_web_access: true } : {}),
  } as const;
  return { type: "hosted", name: "web_search", spec };
}
