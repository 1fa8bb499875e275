const takes = {
  anyItems: true,
  compaction: true,
  customTools: true,
  developerMessages: true,
  encryptedReasoning: true,
  images: true,
  promptCacheKey: true,
  reasoningItems: true,
  reasoningSummaries: true,
  repeatedRoles: true,
  store: true,
  webSearch: true,
};

/** The built-in provider where nothing changes it. */
export const openaiProvider = {
  id: "openai",
  name: "OpenAI",
  baseUrl: "https://api.openai.com/v1",
  loginBaseUrl: "https://chatgpt.com/backend-api/codex",
  authCommand: null,
  envKeys: ["CODEX_API_KEY", "OPENAI_API_KEY"],
  envKeyInstructions: "Create one at https://platform.openai.com/api-keys.",
  bearerToken: null,
  requiresOpenaiAuth: true,
  loginMethod: null,
  keyHeader: "authorization",
  takes,
  preset: "openai",
  took: takes,
  threadHeaders: "hyphen",
  local: null,
  unnamedModel: "default",
  queryParams: {},
  httpHeaders: {},
  envHttpHeaders: { "OpenAI-Organization": "OPENAI_ORGANIZATION", "OpenAI-Project": "OPENAI_PROJECT" },
  requestMaxRetries: 4,
  streamMaxRetries: 5,
  responseTimeoutMs: 300_000,
  streamIdleTimeoutMs: 300_000,
  startupTimeoutMs: 300_000,
  azure: false,
};

/** The default model's settings, if the server accepted everything. */
export const unrestricted = {
  applyPatchTool: "custom",
  supportsImages: true,
  supportsReasoningSummaries: true,
  webSearchMode: "cached",
};
