import type { ServerFeatures, ThreadHeaders } from "@unroll/protocol";
import type { PresetId } from "../keys/config-table.ts";

/** What a server is sent where the user says nothing of it. */
export interface Preset {
  readonly takes: ServerFeatures;
  /** How it is told which requests belong to one thread. */
  readonly threadHeaders: ThreadHeaders;
}

/** The OpenAI API, and gateways that pass requests on to it. */
const openaiPreset: Preset = {
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

/** By the name that `preset` of a provider gives. */
export const presets: Readonly<Record<PresetId, Preset>> = {
  openai: openaiPreset,
  /** Azure OpenAI: OpenAI's models, without `POST /responses/compact`. */
  azure: { ...openaiPreset, takes: { ...openaiPreset.takes, compaction: false } },
  /** What a ChatGPT login is asked at, and gateways to it. */
  chatgpt: openaiPreset,
  /** Ollama: it refuses items other than messages, functions and reasoning. Its templates take messages in any order. */
  ollama: {
    takes: { ...plainPreset.takes, repeatedRoles: true },
    threadHeaders: "none",
  },
  /** LM Studio: it refuses tools other than functions. */
  lmstudio: { ...plainPreset, threadHeaders: "none" },
  /** `llama-server` of llama.cpp: it drops tools other than functions without a word. Images need a projector; without one it refuses them. */
  "llama.cpp": { ...plainLocalPreset, threadHeaders: "none" },
  /** SGLang: older ones fail at tools other than functions and at outputs that are no text. */
  sglang: { ...plainPreset, threadHeaders: "none" },
  /** vLLM: requests are checked against its version of the `openai` package, so only what is old is safe. */
  vllm: { ...plainPreset, threadHeaders: "none" },
  /** OpenRouter: it refuses tools other than functions, whatever the model behind it takes; it sees to the order of messages itself. */
  openrouter: { ...plainPreset, takes: { ...plainPreset.takes, repeatedRoles: true } },
};
