import type { ModelEntry } from "./parse-model-entry.ts";

/** The window that an entry of a list gives, in force before announced; of two bounds the smaller one. Null: it gives none. */
export function findWindow(entry: ModelEntry, model: string | null = null): number | null {
  const instances = entry.loaded_instances ?? [];
  const loaded = instances.find(({ id }) => id === model) ?? instances[0];
  const inForce =
    entry.meta?.n_ctx ?? loaded?.config?.context_length ?? entry.capabilities?.limits?.max_prompt_tokens ?? null;
  if (inForce !== null) return inForce;
  const said = entry.context_window ?? entry.context_length ?? entry.max_model_len ?? null;
  const served = entry.top_provider?.context_length ?? null;
  return said === null || served === null ? (said ?? served) : Math.min(said, served);
}

/**
 * The context window of a model by a server's own list, in tokens: of llama-server, vLLM, LM Studio (`/api/v1/models`), Ollama
 * (`/api/ps`), OpenRouter and others. A list of one model is about that model, whatever name it has there: some servers answer to any
 * name. Null: the list does not say.
 */
export async function readListedWindow(entries: readonly unknown[], model: string): Promise<number | null> {
  const { parseListedModel } = await import("./parse-model-entry.ts");
  const parsed = entries.flatMap((entry) => parseListedModel(entry) ?? []);
  const named = parsed.find((entry) => isNamed(entry, model));
  const meant = named ?? (entries.length === 1 ? parsed[0] : undefined);
  return meant === undefined ? null : findWindow(meant, model);
}

/** Ollama adds a tag; LM Studio leaves out who made a model, or adds which of its files is meant. */
function isNamed({ id, slug, key, name, loaded_instances: instances }: ModelEntry, model: string): boolean {
  const names = [id, slug, key, name, ...(instances ?? []).map((each) => each.id)];
  return names.some((each) => {
    const plain = each?.replace(/@.*$/, "") ?? "";
    return each === model || plain === model || plain === `${model}:latest` || plain.endsWith(`/${model}`);
  });
}
