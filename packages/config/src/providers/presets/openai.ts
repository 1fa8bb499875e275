import type { Preset } from "./preset.ts";

/** The OpenAI API, and gateways that pass requests on to it. */
export const openaiPreset: Preset = {
  takes: {
    compaction: true,
    customTools: true,
    encryptedReasoning: true,
    images: true,
    promptCacheKey: true,
    reasoningSummaries: true,
    store: true,
    webSearch: true,
  },
  threadHeaders: "hyphen",
};
