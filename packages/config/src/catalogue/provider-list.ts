import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ModelLayer } from "../models/model-info.ts";
import type { ModelTable } from "../keys/config-table.ts";
import { modelTableKeys } from "../keys/model-table-keys.ts";
import type { ModelEntry } from "./parse-model-file.ts";

/** Where the list of a provider is kept, in the form of a `model_catalog_json`. */
function toListFile(codexHome: string, providerId: string): string {
  return join(codexHome, "model-lists", `${encodeURIComponent(providerId)}.json`);
}

/** What a provider listed when it was last asked; without models where it never was, or where that cannot be read any more. */
export async function readProviderList(codexHome: string, providerId: string): Promise<ModelLayer> {
  const { readModelFile } = await import("./parse-model-file.ts");
  const tables = await readModelFile(toListFile(codexHome, providerId), undefined).catch(() => ({}));
  return { origin: "provider", providerId, tables };
}

/**
 * Keeps what a provider lists, as `GET /models` gives it: names, and what is said there of windows, efforts and what a model takes;
 * nothing else that a server could decide by it. Returns what was understood. Throws what the system says.
 */
export async function saveProviderList(
  codexHome: string,
  providerId: string,
  entries: readonly unknown[],
): Promise<ModelLayer> {
  const { parseListedModel, toModelTable } = await import("./parse-model-file.ts");
  const { default: writeFileAtomic } = await import("write-file-atomic");
  const tables = entries.flatMap((entry) => {
    // a model is there, also where what is said of it is not understood
    const parsed = parseListedModel(entry);
    const named = parsed && toModelTable(parsed);
    if (named === null) return [];
    const [name, table] = named;
    const listed: ModelTable = Object.fromEntries(Object.entries(table).filter(([key]) => listedKeys.has(key)));
    return [[name, listed] as const];
  });
  const file = toListFile(codexHome, providerId);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const models = tables.map(([slug, table]) => ({ slug, ...table }));
  await writeFileAtomic(file, `${JSON.stringify({ models }, null, 2)}\n`, { mode: 0o600 });
  return { origin: "provider", providerId, tables: Object.fromEntries(tables) };
}

const listedKeys: ReadonlySet<string> = new Set(
  Object.entries(modelTableKeys.keys).flatMap(([key, declaration]) => ("listed" in declaration ? [key] : [])),
);

/**
 * The context window of a model by a server's own list, in tokens: of llama-server, vLLM, LM Studio (`/api/v1/models`), Ollama
 * (`/api/ps`), OpenRouter and others. A list of one model is about that model, whatever name it has there: some servers answer to any
 * name. Null: the list does not say.
 */
export async function readListedWindow(entries: readonly unknown[], model: string): Promise<number | null> {
  const { findWindow, parseListedModel } = await import("./parse-model-file.ts");
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
