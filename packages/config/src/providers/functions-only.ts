import type { ProviderTable } from "../schema/config-table.ts";

/** A plain server: a model, instructions, messages and images, functions, an effort. One machine, so nothing to route by a header. */
export const functionsOnly: ProviderTable = {
  supports_custom_tools: false,
  supports_encrypted_reasoning: false,
  supports_prompt_cache_key: false,
  supports_reasoning_summaries: false,
  supports_store: false,
  supports_web_search: false,
  thread_headers: "none",
};
