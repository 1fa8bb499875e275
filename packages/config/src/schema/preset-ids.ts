/** What `preset` of a provider may be: which server it is, or whose form of requests it takes. */
export const presetIds = [
  "openai",
  "azure",
  "chatgpt",
  "ollama",
  "lmstudio",
  "llama.cpp",
  "sglang",
  "vllm",
  "openrouter",
] as const;

export type PresetId = (typeof presetIds)[number];
