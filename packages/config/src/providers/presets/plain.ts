import type { Preset } from "./preset.ts";

/**
 * What most servers take: one system text, messages of user and assistant in turn, images, readable reasoning, functions, an effort. For
 * providers that declare nothing.
 */
export const plainPreset: Preset = {
  takes: {
    anyItems: false,
    compaction: false,
    customTools: false,
    developerMessages: false,
    encryptedReasoning: false,
    images: true,
    promptCacheKey: false,
    reasoningItems: true,
    reasoningSummaries: false,
    repeatedRoles: false,
    store: false,
    webSearch: false,
  },
  threadHeaders: "hyphen",
};

/**
 * The same for a server on the user's machine, without earlier reasoning. Most chat templates drop reasoning at the next user message, so the
 * server would process the whole previous turn again (docs/decisions/0025).
 */
export const plainLocalPreset: Preset = { ...plainPreset, takes: { ...plainPreset.takes, reasoningItems: false } };
