import * as z from "zod";
import { modelFileSchema } from "../catalogue/model-file-schema.ts";

/** See `loadModelFileSchema`. */
export function createModelFileSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema }: Readonly<Record<string, unknown>> = {
    ...z.toJSONSchema(modelFileSchema, { io: "input", reused: "inline" }),
  };
  return { $schema, title: "unroll: the file of model_catalog_json", ...schema };
}
