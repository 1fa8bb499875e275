/** The presets with which the config may name the provider's server. */
export const simulatedPresets = ["openai", "ollama", "lmstudio", "llama.cpp", "vllm"] as const;

export type SimulatedPreset = (typeof simulatedPresets)[number];
