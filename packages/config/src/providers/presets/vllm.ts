import { plainPreset } from "./plain.ts";
import type { Preset } from "./preset.ts";

/** vLLM: requests are checked against its version of the `openai` package, so only what is old is safe. */
export const vllmPreset: Preset = { ...plainPreset, threadHeaders: "none" };
