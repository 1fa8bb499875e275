import { openaiPreset } from "./openai.ts";
import type { Preset } from "./preset.ts";

/** Azure OpenAI: OpenAI's models, without `POST /responses/compact`. */
export const azurePreset: Preset = { ...openaiPreset, takes: { ...openaiPreset.takes, compaction: false } };
