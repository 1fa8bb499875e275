import { plainPreset } from "./plain.ts";
import type { Preset } from "./preset.ts";

/** OpenRouter: it refuses tools other than functions, whatever the model behind it takes; it sees to the order of messages itself. */
export const openrouterPreset: Preset = { ...plainPreset, takes: { ...plainPreset.takes, repeatedRoles: true } };
