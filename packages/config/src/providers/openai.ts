import type { BuiltInProvider } from "./built-in-provider.ts";

/** The OpenAI API; `OPENAI_BASE_URL` or the key `openai_base_url` send it elsewhere. */
export const openai: BuiltInProvider = {
  id: "openai",
  baseUrlVariable: "OPENAI_BASE_URL",
  portVariable: null,
  local: null,
  exampleUrl: null,
  table: {
    name: "OpenAI",
    preset: "openai",
    base_url: "https://api.openai.com/v1",
    env_key_instructions: "Create one at https://platform.openai.com/api-keys.",
    env_http_headers: { "OpenAI-Organization": "OPENAI_ORGANIZATION", "OpenAI-Project": "OPENAI_PROJECT" },
    requires_openai_auth: true,
  },
};
