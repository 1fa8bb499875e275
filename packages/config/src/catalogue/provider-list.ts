import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ModelLayer } from "../models/model-info.ts";
import type { ModelTable } from "../keys/config-table.ts";
import { modelTableKeys } from "../keys/model-table-keys.ts";

/** Where the list of a provider is kept, in the form of a `model_catalog_json`. */
function toListFile(codexHome: string, providerId: string): string {
  return join(codexHome, "model-lists", `${encodeURIComponent(providerId)}.json`);
}

/** What a provider listed when it was last asked; without models where it never was, or where that cannot be read any more. */
export async function readProviderList(codexHome: string, providerId: string): Promise<ModelLayer> {
  const { readModelFile } = await import("./read-model-file.ts");
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
  const [{ parseListedModel }, { toModelTable }, { default: writeFileAtomic }] = await Promise.all([
    import("./parse-model-entry.ts"),
    import("./to-model-table.ts"),
    import("write-file-atomic"),
  ]);
  const tables = entries.flatMap((entry) => {
    // a model is there, also where what is said of it is not understood
    const parsed = parseListedModel(entry);
    const named = parsed && toModelTable(parsed);
    return named === null ? [] : [[named[0], toListed(named[1])] as const];
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

function toListed(table: ModelTable): ModelTable {
  return Object.fromEntries(Object.entries(table).filter(([key]) => listedKeys.has(key)));
}
