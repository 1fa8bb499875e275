import type { McpTool } from "@unroll/protocol";
import { sumToolTokens } from "./estimate-tool-tokens.ts";

/** A server and what its tools cost in every request. */
export interface ServerCost {
  readonly server: string;
  readonly tokens: number;
}

/**
 * Which servers to leave out so that the others' tools cost at most `maxTokens`: the biggest first,
 * equals by name.
 */
export function selectLeftOutServers(
  servers: readonly { readonly server: string; readonly tools: readonly McpTool[] }[],
  maxTokens: number,
): readonly ServerCost[] {
  const costs = servers.map(({ server, tools }): ServerCost => ({ server, tokens: sumToolTokens(tools) }));
  const biggestFirst = costs.toSorted(
    (left, right) => right.tokens - left.tokens || (left.server < right.server ? -1 : 1),
  );
  let total = costs.reduce((sum, { tokens }) => sum + tokens, 0);
  return biggestFirst.filter(({ tokens }) => {
    if (total <= maxTokens) return false;
    total -= tokens;
    return true;
  });
}
