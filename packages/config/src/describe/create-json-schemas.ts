import { modelFileSchema } from "../catalogue/model-file-schema.ts";
import { toTableSchema } from "../keys/to-table-schema.ts";

const $schema = "https://json-schema.org/draft/2020-12/schema";

/** See `loadConfigJsonSchema`. */
export function createConfigJsonSchema(): Readonly<Record<string, unknown>> {
  return { $schema, title: "unroll and Codex CLI: config.toml", ...toTableSchema([]) };
}

/** See `loadModelFileSchema`. */
export function createModelFileSchema(): Readonly<Record<string, unknown>> {
  return { $schema, title: "unroll: the file of model_catalog_json", ...modelFileSchema() };
}
