import type { Preset } from "./preset.ts";

/** What most servers take: instructions, messages and images, function tools, an effort. For providers that declare nothing. */
export const plainPreset: Preset = {
  takes: {
    compaction: false,
    customTools: false,
    encryptedReasoning: false,
    images: true,
    promptCacheKey: false,
    reasoningSummaries: false,
    store: false,
    webSearch: false,
  },
  threadHeaders: "hyphen",
};
