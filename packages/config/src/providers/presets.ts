import type { ServerFeatures, ThreadHeaders } from "@unroll/protocol";
import type { PresetId } from "../keys/config-table.ts";

/** The defaults of requests to a server. */
export interface Preset {
  readonly takes: ServerFeatures;
  /** The headers that tell the server which requests belong to one thread. */
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
 * The features that most servers accept: one system text, messages of user and assistant in turn,
 * images, readable reasoning, functions, an effort. Used for providers that declare nothing.
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

/** By the value of a provider's `preset`. */
export const presets: Readonly<Record<PresetId, Preset>> = {
  openai: openaiPreset,
  /** Azure OpenAI: OpenAI's models, without `POST /responses/compact`. */
  azure: { ...openaiPreset, takes: { ...openaiPreset.takes, compaction: false } },
  /** The service behind a ChatGPT login, and gateways to it. */
  chatgpt: openaiPreset,
  /** Ollama: it refuses items other than messages, functions and reasoning. Its templates take messages in any order. */
  ollama: {
    takes: { ...plainPreset.takes, repeatedRoles: true },
    threadHeaders: "none",
  },
  /** LM Studio: it refuses tools other than functions. */
  lmstudio: { ...plainPreset, threadHeaders: "none" },
  /**
   * `llama-server` of llama.cpp: it silently drops tools other than functions. Images need a
   * projector; without one it refuses them.
   */
  "llama.cpp": { ...plainLocalPreset, threadHeaders: "none" },
  /** SGLang: older versions fail at tools other than functions and at outputs that are not text. */
  sglang: { ...plainPreset, threadHeaders: "none" },
  /** vLLM: it checks requests against its version of the `openai` package, so only old members are safe. */
  vllm: { ...plainPreset, threadHeaders: "none" },
  /**
   * OpenRouter: it refuses tools other than functions, whatever the model behind it takes. It
   * handles the order of messages itself.
   */
  openrouter: { ...plainPreset, takes: { ...plainPreset.takes, repeatedRoles: true } },
};
