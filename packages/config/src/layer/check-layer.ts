import { createConfigSchema } from "../schema/config-schema.ts";
import type { ConfigLayer, RawLayer } from "./config-layer.ts";

/** Compiling the schema, zod's default, pays off at the tenth file; there are one or two. */
const parseOnce = { jitless: true };

/**
 * Sees to it that a layer has nothing but known keys with values of their types. Old keys are taken for what they are called
 * now. Unknown ones, and values of a file that are wrong and hold nothing back, are left out and become warnings. Throws
 * `ConfigError` (`value_invalid`, `key_unknown`) at the first of the others.
 */
export async function checkLayer(layer: RawLayer): Promise<ConfigLayer> {
  const result = createConfigSchema(layer.table).safeParse(layer.table, parseOnce);
  if (result.success) return { ...layer, table: result.data, warnings: [] };
  // Most files are right: they do not pay for the words.
  const { mendLayer } = await import("./mend-layer.ts");
  return mendLayer(layer, result.error.issues);
}
