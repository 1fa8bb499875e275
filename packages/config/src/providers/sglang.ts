import type { BuiltInProvider } from "./built-in-provider.ts";

/** SGLang on this machine. */
export const sglang: BuiltInProvider = {
  id: "sglang",
  baseUrlVariable: "CODEX_OSS_BASE_URL",
  portVariable: "CODEX_OSS_PORT",
  local: { type: "sglang" },
  exampleUrl: null,
  table: { name: "SGLang", base_url: "http://localhost:30000/v1", preset: "sglang" },
};
