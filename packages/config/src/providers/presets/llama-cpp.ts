import { plainLocalPreset } from "./plain.ts";
import type { Preset } from "./preset.ts";

/** `llama-server` of llama.cpp: it drops tools other than functions without a word. Images need a projector; without one it refuses them. */
export const llamaCppPreset: Preset = { ...plainLocalPreset, threadHeaders: "none" };
