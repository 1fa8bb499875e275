import { plainPreset } from "./plain.ts";
import type { Preset } from "./preset.ts";

/** OpenRouter: it refuses tools other than functions, whatever the model behind it takes. */
export const openrouterPreset: Preset = plainPreset;
