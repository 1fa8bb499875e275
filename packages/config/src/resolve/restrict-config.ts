import type { ServerFeature, ServerFeatures } from "@unroll/protocol";
import type { ResolvedConfig } from "../resolved-config.ts";

/**
 * The config for a server that takes these features and not those that it was made for: with the tools, images and summaries that the
 * server takes, and without the others.
 */
export function restrictConfig(config: ResolvedConfig, takes: ServerFeatures): ResolvedConfig {
  const { provider, unrestricted: all, modelFamily: family, webSearchMode } = config;
  const isOther = (feature: ServerFeature): boolean => takes[feature] !== provider.takes[feature];
  return {
    ...config,
    provider: { ...provider, takes },
    modelFamily: {
      ...family,
      ...(isOther("customTools") && { applyPatchTool: takes.customTools ? all.applyPatchTool : "function" }),
      ...(isOther("images") && { supportsImages: takes.images && all.supportsImages }),
      ...(isOther("reasoningSummaries") && {
        supportsReasoningSummaries: takes.reasoningSummaries && all.supportsReasoningSummaries,
      }),
    },
    webSearchMode: isOther("webSearch") ? (takes.webSearch ? all.webSearchMode : "disabled") : webSearchMode,
  };
}

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

/** Of the window: room for the answer to the request that is the last before a conversation is compacted. */
const compactionShare = 0.9;
/** In tokens: what asking for a summary takes at least, with its answer. In a small window it is more than the rest of that share. */
const summaryTokens = 1_300;
/** Of a small window: below it nothing would be left of the conversation. */
const leastShare = 0.6;
/** Of the window: what one tool output may take of it. */
const outputShare = 0.25;

/** In tokens: where a conversation in a window of this size is compacted by itself, if nobody says otherwise. */
export function toCompactionLimit(contextWindow: number): number {
  const beforeSummary = Math.max(leastShare * contextWindow, contextWindow - summaryTokens);
  return Math.floor(Math.min(compactionShare * contextWindow, beforeSummary));
}

/** In tokens: how much of one tool output the model sees, where its family allows so many. */
export function toOutputTokens(familyTokens: number, contextWindow: number): number {
  return Math.min(familyTokens, Math.floor(outputShare * contextWindow));
}
