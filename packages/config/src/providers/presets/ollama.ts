import { plainPreset } from "./plain.ts";
import type { Preset } from "./preset.ts";

/** Ollama: it refuses items other than messages, functions and reasoning. */
export const ollamaPreset: Preset = { ...plainPreset, threadHeaders: "none" };
