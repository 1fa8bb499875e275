import type { ResolvedConfig } from "../resolved-config.ts";
import { toCompactionLimit, toOutputTokens } from "../models/window-shares.ts";

/**
 * The config with the context window that its server has in force, in tokens, and what hangs on it: where the conversation is compacted,
 * and how much of a tool output the model sees. A window that you set, or that the catalogue knows, is never made larger.
 */
export function withServedWindow(config: ResolvedConfig, servedWindow: number): ResolvedConfig {
  const { modelFamily: family, compaction } = config;
  const isBound = family.windowOrigin === "config" || family.windowOrigin === "catalogue";
  if (isBound && family.contextWindow <= servedWindow) return config;
  const limit = toCompactionLimit(servedWindow);
  const { tokenLimit, isOwnLimit } = compaction;
  return {
    ...config,
    modelFamily: {
      ...family,
      contextWindow: servedWindow,
      windowOrigin: "server",
      toolOutputTokens: toOutputTokens(family.toolOutputTokens, servedWindow),
    },
    compaction: {
      ...compaction,
      tokenLimit: tokenLimit === null ? null : isOwnLimit ? Math.min(tokenLimit, limit) : limit,
    },
  };
}
