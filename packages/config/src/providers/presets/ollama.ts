import { plainPreset } from "./plain.ts";
import type { Preset } from "./preset.ts";

/** Ollama: it refuses items other than messages, functions and reasoning. Its templates take messages in any order. */
export const ollamaPreset: Preset = {
  takes: { ...plainPreset.takes, repeatedRoles: true },
  threadHeaders: "none",
};
