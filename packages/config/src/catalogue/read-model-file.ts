import { dirname, resolve } from "node:path";
import { describeSystemError } from "@unroll/text";
import { ConfigError } from "../fault/config-error.ts";
import type { Origin } from "../fault/origin.ts";
import { readRegularFile } from "../layer/read-regular-file.ts";
import type { ModelTable } from "../keys/config-table.ts";
import { parseModelFile } from "./parse-model-entry.ts";
import { toModelTable } from "./to-model-table.ts";

type Tables = Readonly<Record<string, ModelTable>>;

/** The models of a JSON file, by name; of two of a name the last. Throws `ConfigError` (`model_catalogue_invalid`). */
export async function readModelFile(path: string, origin: Origin | undefined): Promise<Tables> {
  const fail = (fault: string): never => {
    throw new ConfigError({
      code: "model_catalogue_invalid",
      message: `the file of models ${path} ${fault}. Correct it, or unset model_catalog_json.`,
      key: "model_catalog_json",
      origin,
    });
  };
  const bytes = await readRegularFile(path).catch((error: unknown) =>
    fail(`cannot be read: ${describeSystemError(error)}`),
  );
  const value = parseJson(new TextDecoder().decode(bytes)) ?? fail("is not JSON");
  const models = parseModelFile(value);
  if (typeof models === "string") return fail(models);
  const tables = models.map((entry, at) => toModelTable(entry) ?? fail(`has no slug in models[${at}]`));
  return Object.fromEntries(tables.map(([name, table]) => [name, withPath(table, dirname(path))]));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return null;
  }
}

function withPath(table: ModelTable, folder: string): ModelTable {
  const { instructions_file: file } = table;
  return file === undefined ? table : { ...table, instructions_file: resolve(folder, file) };
}
