import { plainPreset } from "./plain.ts";
import type { Preset } from "./preset.ts";

/** LM Studio: it refuses tools other than functions. */
export const lmstudioPreset: Preset = { ...plainPreset, threadHeaders: "none" };
