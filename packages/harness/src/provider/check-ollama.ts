import * as z from "zod";
import { isOlder } from "./is-older.ts";
import type { LocalServer } from "./local-server.ts";
import { listThere, type ProviderHealth } from "./provider-health.ts";

const versionSchema = z.object({ version: z.string() });
const tagsSchema = z.object({ models: z.array(z.object({ name: z.string() })) });

export interface LocalWish {
  /** Null: nobody named one. */
  readonly model: string | null;
  /** `0.13.4` */
  readonly firstVersion: string;
}

/** https://docs.ollama.com/api. What does not answer as Ollama does is another server in its place, and taken as it is. */
export async function checkOllama(server: LocalServer, { model, firstVersion }: LocalWish): Promise<ProviderHealth> {
  const answer = versionSchema.safeParse((await server.ask("/api/version")).json);
  if (!answer.success) return { type: "ready", version: null };
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
