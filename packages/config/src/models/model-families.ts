import type { ModelFamily } from "@unroll/protocol";
import type { ModelFamilyId } from "../keys/config-table.ts";

const gpt5: ModelFamily = {
  id: "gpt-5",
  contextWindow: 272_000,
  windowOrigin: "guess",
  supportsReasoning: true,
  efforts: null,
  supportsReasoningSummaries: true,
  supportsVerbosity: true,
  supportsImages: true,
  supportsParallelToolCalls: true,
  applyPatchTool: "custom",
  shellTool: "exec_command",
  toolOutputTokens: 10_000,
};

const gptOss: ModelFamily = {
  ...gpt5,
  id: "gpt-oss",
  shellTool: "shell_command",
  contextWindow: 128_000,
  supportsVerbosity: false,
  supportsImages: false,
  supportsParallelToolCalls: false,
  applyPatchTool: "function",
};

/** For models that no prefix matches: what any server of the Responses API accepts. */
const defaultFamily: ModelFamily = {
  ...gptOss,
  id: "default",
  supportsReasoning: false,
  supportsImages: true,
};

/** A single model may differ from its family. */
export const modelFamilies: Readonly<Record<ModelFamilyId, ModelFamily>> = {
  "gpt-5": gpt5,
  "gpt-5-codex": { ...gpt5, id: "gpt-5-codex", supportsVerbosity: false },
  "gpt-oss": gptOss,
  "unroll-demo": { ...gpt5, id: "unroll-demo", supportsVerbosity: false },
  default: defaultFamily,
};

/** Name prefixes of families without a model of that name; the models' own names are in the catalogue. */
export const familiesByPrefix: Readonly<Record<string, ModelFamilyId>> = { "gpt-6": "gpt-5" };
