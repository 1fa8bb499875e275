import { plainPreset } from "./plain.ts";
import type { Preset } from "./preset.ts";

/** SGLang: older ones fail at tools other than functions and at outputs that are no text. */
export const sglangPreset: Preset = { ...plainPreset, threadHeaders: "none" };
