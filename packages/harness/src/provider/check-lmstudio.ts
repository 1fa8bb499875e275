import * as z from "zod";
import type { LocalWish } from "./check-ollama.ts";
import type { LocalServer } from "./local-server.ts";
import { listThere, type ProviderHealth } from "./provider-health.ts";

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const errorSchema = z.object({ error: z.string() });

/**
 * https://lmstudio.ai/docs/developer. It tells no version, and says of a path that it does not know, with status 200, that it is
 * unexpected; an empty request to one that it knows is refused.
 */
export async function checkLmStudio(server: LocalServer, { model, firstVersion }: LocalWish): Promise<ProviderHealth> {
  const answer = modelsSchema.safeParse((await server.ask("/v1/models")).json);
  if (!answer.success) return { type: "ready", version: null };
  const models = answer.data.data.map(({ id }) => id);
  if (model !== null && !models.some((id) => isModel(id, model))) {
    const message = `LM Studio does not have the model ${model}: get it with \`lms get ${model}\` and load it with \`lms load ${model}\`, or name another one with -m. ${listThere(models)}`;
    return { type: "model_missing", message, model, models, canPull: false };
  }
  const refused = errorSchema.safeParse((await server.ask("/v1/responses", {})).json);
  if (!refused.success || !refused.data.error.startsWith("Unexpected endpoint"))
    return { type: "ready", version: null };
  const message = `LM Studio at ${server.origin} is too old, it does not know /v1/responses: ${firstVersion} or newer is needed. Get it from https://lmstudio.ai/download.`;
  return { type: "too_old", message };
}

/** Names may say which of several files of a model is meant (`@q4_k_m`), and leave out who made it. */
function isModel(id: string, model: string): boolean {
  const name = id.replace(/@.*$/, "");
  return id === model || name === model || name.endsWith(`/${model}`);
}
