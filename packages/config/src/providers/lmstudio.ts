import type { BuiltInProvider } from "./built-in-provider.ts";

/** LM Studio on this machine. */
export const lmstudio: BuiltInProvider = {
  id: "lmstudio",
  baseUrlVariable: "CODEX_OSS_BASE_URL",
  portVariable: "CODEX_OSS_PORT",
  local: { type: "lmstudio", firstVersion: "0.3.39", standardModel: "openai/gpt-oss-20b" },
  exampleUrl: null,
  table: { name: "LM Studio", base_url: "http://localhost:1234/v1", preset: "lmstudio" },
};
