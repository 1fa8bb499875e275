import { isModelNamed, type ResolvedConfig } from "@unroll/config";
import * as z from "zod";
import { type LocalContext, type LocalServer, openLocalServer, Unreachable } from "./local-server.ts";
import { listThere, type ProviderHealth } from "./provider-health.ts";

/** The implementation of `checkProvider`, loaded by it. */
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
    const message = `${name} does not answer at ${server.origin} (${error.message}): ${starts[local.type]}. If it is at another address, set CODEX_OSS_BASE_URL.`;
    return { type: "unreachable", message };
  }
}

type LocalSettings = NonNullable<ResolvedConfig["provider"]["local"]>;

async function check(server: LocalServer, local: LocalSettings, config: ResolvedConfig): Promise<ProviderHealth> {
  const model = isModelNamed(config) ? config.model : null;
  switch (local.type) {
    case "ollama":
      return checkOllama(server, { model, firstVersion: local.firstVersion });
    case "lmstudio":
      return checkLmStudio(server, { model, firstVersion: local.firstVersion });
    case "llamacpp":
      await server.ask("/v1/models"); // it answers for its model under any name
      return ready;
    case "vllm":
    case "sglang":
      return checkListingServer(server, { model, name: config.provider.name });
  }
}

const starts: Readonly<Record<LocalSettings["type"], string>> = {
  ollama: "start it with `ollama serve`, or get it from https://ollama.com/download",
  lmstudio: "start its server with `lms server start`, or get it from https://lmstudio.ai/download",
  llamacpp:
    "start it with `llama-server -m MODEL.gguf --jinja --port 8080`. New builds listen at 9931 where no port is given: then set CODEX_OSS_PORT=9931",
  vllm: "start it with `vllm serve MODEL --enable-auto-tool-choice --tool-call-parser PARSER`",
  sglang: "start it with `python -m sglang.launch_server --model-path MODEL --tool-call-parser PARSER`",
};

const versionSchema = z.object({ version: z.string() });
const tagsSchema = z.object({ models: z.array(z.object({ name: z.string() })) });
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const errorSchema = z.object({ error: z.string() });

const ready: ProviderHealth = { type: "ready", version: null };

interface LocalWish {
  /** Null: no model is named. */
  readonly model: string | null;
  /** `0.13.4` */
  readonly firstVersion: string;
}

/** Null: it does not list them as servers of the OpenAI API do. */
async function listModels(server: LocalServer): Promise<readonly string[] | null> {
  const answer = modelsSchema.safeParse((await server.ask("/v1/models")).json);
  return answer.data?.data.map(({ id }) => id) ?? null;
}

/**
 * https://docs.ollama.com/api. A server that does not answer like Ollama is another one in its
 * place, and is accepted.
 */
async function checkOllama(server: LocalServer, { model, firstVersion }: LocalWish): Promise<ProviderHealth> {
  const answer = versionSchema.safeParse((await server.ask("/api/version")).json);
  if (!answer.success) return ready;
  const { version } = answer.data;
  if (isOlder(version, firstVersion)) {
    const message = `Ollama ${version} at ${server.origin} is too old: ${firstVersion} or newer is needed. Get it from https://ollama.com/download.`;
    return { type: "too_old", message };
  }
  const tags = tagsSchema.safeParse((await server.ask("/api/tags")).json);
  if (!tags.success) return { type: "ready", version };
  const models = tags.data.models.map(({ name }) => name);
  if (model === null || models.includes(model) || models.includes(`${model}:latest`)) return { type: "ready", version };
  const message = `Ollama does not have the model ${model}: get it with \`ollama pull ${model}\`, or name another one with -m. ${listThere(models)}`;
  return { type: "model_missing", message, model, models, canPull: true };
}

/**
 * https://lmstudio.ai/docs/developer. It reports no version. It answers an unknown path with status
 * 200 and an error message; an empty request to a known path is refused.
 */
async function checkLmStudio(server: LocalServer, { model, firstVersion }: LocalWish): Promise<ProviderHealth> {
  const models = await listModels(server);
  if (models === null) return ready;
  if (model !== null && !models.some((id) => isModel(id, model))) {
    const message = `LM Studio does not have the model ${model}: get it with \`lms get ${model}\` and load it with \`lms load ${model}\`, or name another one with -m. ${listThere(models)}`;
    return { type: "model_missing", message, model, models, canPull: false };
  }
  const refused = errorSchema.safeParse((await server.ask("/v1/responses", {})).json);
  if (!refused.success || !refused.data.error.startsWith("Unexpected endpoint")) return ready;
  const message = `LM Studio at ${server.origin} is too old, it does not know /v1/responses: ${firstVersion} or newer is needed. Get it from https://lmstudio.ai/download.`;
  return { type: "too_old", message };
}

/** Names may include which of a model's files is meant (`@q4_k_m`), and leave out the vendor. */
function isModel(id: string, model: string): boolean {
  const name = id.replace(/@.*$/, "");
  return id === model || name === model || name.endsWith(`/${model}`);
}

/**
 * A server that was started with its models and only reports their names. One that is still loading
 * is accepted: the first request waits.
 */
async function checkListingServer(
  server: LocalServer,
  { model, name }: { readonly model: string | null; readonly name: string },
): Promise<ProviderHealth> {
  const models = (await listModels(server)) ?? [];
  if (model === null || models.length === 0 || models.includes(model)) return ready;
  const message = `${name} at ${server.origin} does not have the model ${model}: name another one with -m, or start it with that one. ${listThere(models)}`;
  return { type: "model_missing", message, model, models, canPull: false };
}

/**
 * Whether one version precedes another, both like `0.13.4`; the part after `-` is ignored. A
 * version built by hand (`0.0.0`) is never older.
 */
function isOlder(version: string, than: string): boolean {
  const [numbers, others] = [toNumbers(version), toNumbers(than)];
  if (numbers.every((number) => number === 0)) return false;
  const at = others.findIndex((number, index) => number !== (numbers[index] ?? 0));
  return at !== -1 && (numbers[at] ?? 0) < (others[at] ?? 0);
}

function toNumbers(version: string): readonly number[] {
  return (version.replace(/^v/, "").split(/[-+]/)[0] ?? "").split(".").map((part) => Number.parseInt(part, 10) || 0);
}
