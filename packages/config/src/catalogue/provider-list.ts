import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ModelLayer } from "../models/model-info.ts";
import type { ModelTable } from "../keys/config-table.ts";
import { modelTableKeys } from "../keys/model-table-keys.ts";
import type { ModelEntry } from "./parse-model-file.ts";

/** The file of a provider's list, in the format of `model_catalog_json`. */
function toListFile(codexHome: string, providerId: string): string {
  return join(codexHome, "model-lists", `${encodeURIComponent(providerId)}.json`);
}

/**
 * The provider's models as it last listed them. No models: it was never asked, or the saved list
 * cannot be read.
 */
export async function readProviderList(codexHome: string, providerId: string): Promise<ModelLayer> {
  const { readModelFile } = await import("./parse-model-file.ts");
  const tables = await readModelFile(toListFile(codexHome, providerId), undefined).catch(() => ({}));
  return { origin: "provider", providerId, tables };
}

/**
 * Saves the models of a provider's `GET /models`: names, windows, efforts and accepted features;
 * nothing else that a server could decide that way. Returns what was understood. Throws file system
 * errors.
 */
export async function saveProviderList(
  codexHome: string,
  providerId: string,
  entries: readonly unknown[],
): Promise<ModelLayer> {
  const { parseListedModel, toModelTable } = await import("./parse-model-file.ts");
  const { default: writeFileAtomic } = await import("write-file-atomic");
  const tables = entries.flatMap((entry) => {
    // A model exists even if its facts are not understood.
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
 * The context window of a model in a server's own list, in tokens. Understands llama-server, vLLM,
 * LM Studio (`/api/v1/models`), Ollama (`/api/ps`), OpenRouter and others. A list of one model is
 * about that model, whatever its name: some servers answer to any name. Null: the list does not
 * say.
 */
export async function readListedWindow(entries: readonly unknown[], model: string): Promise<number | null> {
  const { findWindow, parseListedModel } = await import("./parse-model-file.ts");
  const parsed = entries.flatMap((entry) => parseListedModel(entry) ?? []);
  const named = parsed.find((entry) => isNamed(entry, model));
  const meant = named ?? (entries.length === 1 ? parsed[0] : undefined);
  return meant === undefined ? null : findWindow(meant, model);
}

/** Ollama adds a tag; LM Studio leaves out the vendor, or adds which of the model's files is meant. */
function isNamed({ id, slug, key, name, loaded_instances: instances }: ModelEntry, model: string): boolean {
  const names = [id, slug, key, name, ...(instances ?? []).map((each) => each.id)];
  return names.some((each) => {
    const plain = each?.replace(/@.*$/, "") ?? "";
    return each === model || plain === model || plain === `${model}:latest` || plain.endsWith(`/${model}`);
  });
}
