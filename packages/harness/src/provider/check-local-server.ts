import { isModelNamed, type ResolvedConfig } from "@unroll/config";
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
    return await check(server, local, config);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const { name } = config.provider;
    const message = `${name} does not answer at ${server.origin} (${error.message}): ${explainStart(local.type)}. If it is at another address, set CODEX_OSS_BASE_URL.`;
    return { type: "unreachable", message };
  }
}

type LocalSettings = NonNullable<ResolvedConfig["provider"]["local"]>;

async function check(server: LocalServer, local: LocalSettings, config: ResolvedConfig): Promise<ProviderHealth> {
  const model = isModelNamed(config) ? config.model : null;
  const { name } = config.provider;
  switch (local.type) {
    case "ollama":
      return (await import("./check-ollama.ts")).checkOllama(server, { model, firstVersion: local.firstVersion });
    case "lmstudio":
      return (await import("./check-lmstudio.ts")).checkLmStudio(server, { model, firstVersion: local.firstVersion });
    case "llamacpp":
    case "vllm":
    case "sglang": {
      const { checkListingServer } = await import("./check-listing-server.ts");
      return checkListingServer(server, { model, name, takesAnyName: local.type === "llamacpp" });
    }
  }
}

function explainStart(type: LocalSettings["type"]): string {
  switch (type) {
    case "ollama":
      return "start it with `ollama serve`, or get it from https://ollama.com/download";
    case "lmstudio":
      return "start its server with `lms server start`, or get it from https://lmstudio.ai/download";
    case "llamacpp":
      return "start it with `llama-server -m MODEL.gguf --jinja --port 8080`. New builds listen at 9931 where no port is given: then set CODEX_OSS_PORT=9931";
    case "vllm":
      return "start it with `vllm serve MODEL --enable-auto-tool-choice --tool-call-parser PARSER`";
    case "sglang":
      return "start it with `python -m sglang.launch_server --model-path MODEL --tool-call-parser PARSER`";
  }
}
