import { readListedWindow, type ResolvedConfig } from "@unroll/config";
import type { ReachOutcome } from "@unroll/responses-client";
import type { LocalContext } from "../provider/local-server.ts";

interface WindowSources extends LocalContext {
  /** Asks for the provider's list of models, as a turn would ask; null: there is no such way. */
  readonly reach: ((signal: AbortSignal) => Promise<ReachOutcome>) | null;
}

/**
 * Whether its server is asked how large the window of the model is: OpenAI and Azure do not say, and a service that is not nearby only
 * where nobody else does.
 */
export function isWindowAsked({ provider, modelFamily }: Pick<ResolvedConfig, "provider" | "modelFamily">): boolean {
  if (provider.requiresOpenaiAuth || provider.azure) return false;
  return isNearby(provider) || modelFamily.windowOrigin === "guess";
}

/**
 * The context window that the server uses for the config's model, in tokens. It comes from the list
 * of models, or from what Ollama and LM Studio report about loaded models; only GET requests to the
 * provider's own address are sent. Null: the server does not say, or not yet. Never rejects:
 * callers continue without it.
 */
export async function readServedWindow(config: ResolvedConfig, sources: WindowSources): Promise<number | null> {
  const { model, provider } = config;
  const outcome = (await sources.reach?.(sources.signal)) ?? null;
  const listed = outcome?.type === "reached" ? await readListedWindow(outcome.entries, model) : null;
  if (listed !== null || sources.signal.aborted || !isNearby(provider)) return listed;
  const { openLocalServer } = await import("../provider/local-server.ts");
  const server = openLocalServer(config, sources);
  for (const path of paths[provider.local?.type ?? "unknown"]) {
    const answer = await server.ask(path).catch(() => null);
    const found = await readListedWindow(listModels(answer?.json), model);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The addresses that report loaded models. Ollama: https://docs.ollama.com/api/ps; LM Studio:
 * https://lmstudio.ai/docs/developer/rest.
 */
const [ollamaPath, lmStudioPath] = ["/api/ps", "/api/v1/models"];
const paths: Readonly<Record<LocalType | "unknown", readonly string[]>> = {
  ollama: [ollamaPath],
  lmstudio: [lmStudioPath],
  // their lists tell
  llamacpp: [],
  vllm: [],
  sglang: [],
  unknown: [ollamaPath, lmStudioPath],
};

type LocalType = NonNullable<ResolvedConfig["provider"]["local"]>["type"];

/** `max_context_length` is what could be loaded, and not what is. */
function listModels(json: unknown): readonly unknown[] {
  const models: unknown = typeof json === "object" && json !== null && "models" in json ? json.models : null;
  return Array.isArray(models) ? models : [];
}

const nearbyHost =
  /^(localhost|.*\.local(host)?|\[::1\]|127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(1[6-9]|2\d|3[01])\.\d+\.\d+)$/i;

/** Whether the provider is a server on this machine or in its network: one that somebody started with a context window of its own. */
export function isNearby({ baseUrl, local }: ResolvedConfig["provider"]): boolean {
  return local !== null || nearbyHost.test(URL.parse(baseUrl)?.hostname ?? "");
}
