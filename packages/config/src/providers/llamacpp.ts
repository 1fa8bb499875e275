import type { BuiltInProvider } from "./built-in-provider.ts";

/** llama.cpp's `llama-server` on this machine. It has one model. Newer builds listen at 9931 where no port is given. */
export const llamacpp: BuiltInProvider = {
  id: "llamacpp",
  baseUrlVariable: "CODEX_OSS_BASE_URL",
  portVariable: "CODEX_OSS_PORT",
  local: { type: "llamacpp" },
  exampleUrl: null,
  table: { name: "llama.cpp", base_url: "http://localhost:8080/v1", preset: "llama.cpp" },
};
