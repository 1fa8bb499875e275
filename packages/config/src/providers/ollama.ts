import type { BuiltInProvider } from "./built-in-provider.ts";

/** Ollama on this machine. It takes no other item than messages, functions and reasoning, and refuses a request that holds one. */
export const ollama: BuiltInProvider = {
  id: "ollama",
  baseUrlVariable: "CODEX_OSS_BASE_URL",
  portVariable: "CODEX_OSS_PORT",
  local: { type: "ollama", firstVersion: "0.13.4", standardModel: "gpt-oss:20b" },
  exampleUrl: null,
  table: { name: "Ollama", base_url: "http://localhost:11434/v1", preset: "ollama" },
};
