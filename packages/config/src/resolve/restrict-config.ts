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
