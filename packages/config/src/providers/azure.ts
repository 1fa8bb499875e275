import type { BuiltInProvider } from "./built-in-provider.ts";

/**
 * Azure OpenAI. Its address is that of a resource, so everybody has another one. A key goes into `api-key`; a token of Entra
 * ID, which `auth_command` can print, is a bearer token
 * (https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle).
 */
export const azure: BuiltInProvider = {
  id: "azure",
  baseUrlVariable: "AZURE_OPENAI_BASE_URL",
  portVariable: null,
  local: null,
  exampleUrl: "https://NAME.openai.azure.com/openai/v1",
  table: {
    name: "Azure OpenAI",
    preset: "azure",
    env_key: "AZURE_OPENAI_API_KEY",
    env_key_instructions: "It is in the Azure portal, on the page Keys and Endpoint of the resource.",
    key_header: "api-key",
  },
};
