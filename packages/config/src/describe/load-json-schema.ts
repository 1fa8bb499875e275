/** A JSON Schema (draft 2020-12) of `config.toml`, for editors: every key with its meaning, its default and its choices. */
export async function loadConfigJsonSchema(): Promise<Readonly<Record<string, unknown>>> {
  const { createConfigJsonSchema } = await import("./create-json-schema.ts");
  return createConfigJsonSchema();
}
