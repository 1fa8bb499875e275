import type { BuiltInProvider } from "./built-in-provider.ts";

/** vLLM on this machine. */
export const vllm: BuiltInProvider = {
  id: "vllm",
  baseUrlVariable: "CODEX_OSS_BASE_URL",
  portVariable: "CODEX_OSS_PORT",
  local: { type: "vllm" },
  exampleUrl: null,
  table: { name: "vLLM", base_url: "http://localhost:8000/v1", preset: "vllm" },
};
