/** What the config may say whose server the provider is. */
export const simulatedPresets = ["openai", "ollama", "lmstudio", "llama.cpp", "vllm"] as const;

export type SimulatedPreset = (typeof simulatedPresets)[number];
