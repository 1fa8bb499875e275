import type { ResolvedConfig } from "@unroll/config";
import type { LocalWish } from "./check-ollama.ts";
import type { LocalContext } from "./local-context.ts";
import { type LocalServer, openLocalServer, Unreachable } from "./local-server.ts";
import type { ProviderHealth } from "./provider-health.ts";

/** As `checkProvider` says, which loads it. */
export async function checkLocalServer(
  config: ResolvedConfig,
  local: LocalSettings,
  context: LocalContext,
): Promise<ProviderHealth> {
  const server = openLocalServer(config, context);
  try {
    return await check(local.type, server, { model: config.model, firstVersion: local.firstVersion });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { type: "unreachable", message: explainSilence(local.type, server.origin, error.message) };
  }
}

type LocalSettings = NonNullable<ResolvedConfig["provider"]["local"]>;
type LocalType = LocalSettings["type"];

async function check(type: LocalType, server: LocalServer, wish: LocalWish): Promise<ProviderHealth> {
  switch (type) {
    case "ollama":
      return (await import("./check-ollama.ts")).checkOllama(server, wish);
    case "lmstudio":
      return (await import("./check-lmstudio.ts")).checkLmStudio(server, wish);
  }
}

function explainSilence(type: LocalType, origin: string, reason: string): string {
  const elsewhere = "If it is at another address, set CODEX_OSS_BASE_URL.";
  switch (type) {
    case "ollama":
      return `Ollama does not answer at ${origin} (${reason}): start it with \`ollama serve\`, or get it from https://ollama.com/download. ${elsewhere}`;
    case "lmstudio":
      return `LM Studio does not answer at ${origin} (${reason}): start its server with \`lms server start\`, or get it from https://lmstudio.ai/download. ${elsewhere}`;
  }
}
