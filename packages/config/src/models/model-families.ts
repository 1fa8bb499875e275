import type { ModelFamily } from "@unroll/protocol";

const gpt5: ModelFamily = {
  id: "gpt-5",
  contextWindow: 272_000,
  supportsReasoning: true,
  supportsVerbosity: true,
  supportsParallelToolCalls: true,
  applyPatchTool: "custom",
  shellTool: "shell_command",
  toolOutputTokens: 10_000,
};

const gpt5Codex: ModelFamily = { ...gpt5, id: "gpt-5-codex", supportsVerbosity: false };

const gptOss: ModelFamily = {
  ...gpt5,
  id: "gpt-oss",
  contextWindow: 128_000,
  supportsVerbosity: false,
  supportsParallelToolCalls: false,
  applyPatchTool: "function",
};

const demo: ModelFamily = { ...gpt5, id: "unroll-demo", supportsVerbosity: false };

/** For models that no prefix fits: what any server of the Responses API takes. */
export const defaultFamily: ModelFamily = { ...gptOss, id: "default", supportsReasoning: false };

/** The beginning of a model's name to its family; the longest that fits counts. */
export const familiesByPrefix: Readonly<Record<string, ModelFamily>> = {
  "gpt-5": gpt5,
  "gpt-5-codex": gpt5Codex,
  "gpt-5.1-codex": gpt5Codex,
  "gpt-5.2-codex": gpt5Codex,
  "gpt-5.3-codex": gpt5Codex,
  "gpt-oss": gptOss,
  "unroll-demo": demo,
};
