import { openaiPreset } from "./openai.ts";
import type { Preset } from "./preset.ts";

/** What a ChatGPT login is asked at, and gateways to it. */
export const chatgptPreset: Preset = openaiPreset;
