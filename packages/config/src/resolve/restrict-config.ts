import type { ServerFeature, ServerFeatures } from "@unroll/protocol";
import type { ResolvedConfig } from "../resolved-config.ts";

/**
 * The config for a server that accepts exactly these features: it gains or loses tools, images,
 * summaries and web search compared with the provider's own features.
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
 * The config with the context window that the server uses, in tokens, and its consequences: where
 * the thread is compacted, and how much of a tool output the model sees. A window that you set, or
 * that the catalogue knows, never grows.
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

/** Share of the window. The rest is for the response to the last request before a compaction. */
const compactionShare = 0.9;
/**
 * In tokens: the least that a summary needs, with its request. In a small window this is more than
 * the rest of that share.
 */
const summaryTokens = 1_300;
/** Share of a small window: below it, nothing of the thread would be left. */
const leastShare = 0.6;
/** Share of the window that one tool output may take. */
const outputShare = 0.25;

/** In tokens: where a thread with a window of this size is compacted automatically by default. */
export function toCompactionLimit(contextWindow: number): number {
  const beforeSummary = Math.max(leastShare * contextWindow, contextWindow - summaryTokens);
  return Math.floor(Math.min(compactionShare * contextWindow, beforeSummary));
}

/** In tokens: how much of one tool output the model sees, at most what its family allows. */
export function toOutputTokens(familyTokens: number, contextWindow: number): number {
  return Math.min(familyTokens, Math.floor(outputShare * contextWindow));
}
