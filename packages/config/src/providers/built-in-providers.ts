import type { ProviderTable } from "../keys/config-table.ts";
import type { LocalServer } from "./provider-config.ts";

/** A provider that needs no `[model_providers.ID]`; such a table changes single keys of it. */
export interface BuiltInProvider {
  readonly id: string;
  readonly table: ProviderTable;
  /** The environment variable that replaces its `base_url`. */
  readonly baseUrlVariable: string;
  /** A variable that replaces only the port, on this machine; null: there is none. */
  readonly portVariable: string | null;
  /** The program on this machine that serves it and reports its state; null: it is a service. */
  readonly local: LocalServer | null;
  /** An example of a `base_url`, for a provider that has none of its own; null: it has one. */
  readonly exampleUrl: string | null;
}

/** In the order of the docs. */
export const builtInProviders: readonly BuiltInProvider[] = [
  /** The OpenAI API; `OPENAI_BASE_URL` or the key `openai_base_url` send it elsewhere. */
  {
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
  },
  /**
   * Azure OpenAI. Each resource has an address of its own. A key goes into `api-key`; a token of
   * Entra ID, which `auth_command` can print, is a bearer token
   * (https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle).
   */
  {
    id: "azure",
    baseUrlVariable: "AZURE_OPENAI_BASE_URL",
    portVariable: null,
    local: null,
    exampleUrl: "https://NAME.openai.azure.com/openai/v1",
    table: {
      name: "Azure OpenAI",
      preset: "azure",
      env_key: "AZURE_OPENAI_API_KEY",
      env_key_instructions: "Find it in the Azure portal, on the resource's page Keys and Endpoint.",
      key_header: "api-key",
    },
  },
  /**
   * Ollama on this machine. It takes only messages, functions and reasoning, and refuses a request
   * with any other item.
   */
  {
    id: "ollama",
    baseUrlVariable: "CODEX_OSS_BASE_URL",
    portVariable: "CODEX_OSS_PORT",
    local: { type: "ollama", firstVersion: "0.13.4", standardModel: "gpt-oss:20b" },
    exampleUrl: null,
    table: { name: "Ollama", base_url: "http://localhost:11434/v1", preset: "ollama" },
  },
  /** LM Studio on this machine. */
  {
    id: "lmstudio",
    baseUrlVariable: "CODEX_OSS_BASE_URL",
    portVariable: "CODEX_OSS_PORT",
    local: { type: "lmstudio", firstVersion: "0.3.39", standardModel: "openai/gpt-oss-20b" },
    exampleUrl: null,
    table: { name: "LM Studio", base_url: "http://localhost:1234/v1", preset: "lmstudio" },
  },
  /**
   * llama.cpp's `llama-server` on this machine. It has one model. Newer builds listen at 9931 if no
   * port is given.
   */
  {
    id: "llamacpp",
    baseUrlVariable: "CODEX_OSS_BASE_URL",
    portVariable: "CODEX_OSS_PORT",
    local: { type: "llamacpp" },
    exampleUrl: null,
    table: { name: "llama.cpp", base_url: "http://localhost:8080/v1", preset: "llama.cpp" },
  },
  /** vLLM on this machine. */
  {
    id: "vllm",
    baseUrlVariable: "CODEX_OSS_BASE_URL",
    portVariable: "CODEX_OSS_PORT",
    local: { type: "vllm" },
    exampleUrl: null,
    table: { name: "vLLM", base_url: "http://localhost:8000/v1", preset: "vllm" },
  },
  /** SGLang on this machine. */
  {
    id: "sglang",
    baseUrlVariable: "CODEX_OSS_BASE_URL",
    portVariable: "CODEX_OSS_PORT",
    local: { type: "sglang" },
    exampleUrl: null,
    table: { name: "SGLang", base_url: "http://localhost:30000/v1", preset: "sglang" },
  },
];

/** Null for a provider that you declare yourself. */
export function findBuiltInProvider(id: string): BuiltInProvider | null {
  return builtInProviders.find((provider) => provider.id === id) ?? null;
}
