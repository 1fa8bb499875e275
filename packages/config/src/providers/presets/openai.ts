import type { Preset } from "./preset.ts";

/** The OpenAI API, and gateways that pass requests on to it. */
export const openaiPreset: Preset = {
  takes: {
    anyItems: true,
    compaction: true,
    customTools: true,
    developerMessages: true,
    encryptedReasoning: true,
    images: true,
    promptCacheKey: true,
    reasoningItems: true,
    reasoningSummaries: true,
    repeatedRoles: true,
    store: true,
    webSearch: true,
  },
  threadHeaders: "hyphen",
};
