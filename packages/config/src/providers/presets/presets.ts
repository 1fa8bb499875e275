import type { PresetId } from "../../keys/config-table.ts";
import { azurePreset } from "./azure.ts";
import { chatgptPreset } from "./chatgpt.ts";
import { llamaCppPreset } from "./llama-cpp.ts";
import { lmstudioPreset } from "./lmstudio.ts";
import { ollamaPreset } from "./ollama.ts";
import { openaiPreset } from "./openai.ts";
import { openrouterPreset } from "./openrouter.ts";
import type { Preset } from "./preset.ts";
import { sglangPreset } from "./sglang.ts";
import { vllmPreset } from "./vllm.ts";

/** By the name that `preset` of a provider gives. */
export const presets: Readonly<Record<PresetId, Preset>> = {
  openai: openaiPreset,
  azure: azurePreset,
  chatgpt: chatgptPreset,
  ollama: ollamaPreset,
  lmstudio: lmstudioPreset,
  "llama.cpp": llamaCppPreset,
  sglang: sglangPreset,
  vllm: vllmPreset,
  openrouter: openrouterPreset,
};
