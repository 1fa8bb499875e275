import { findSchema, listKeys, takesFreeNames } from "../src/schema/config-schema.ts";
import { defaults } from "../src/schema/defaults.ts";
import { keyDocs } from "../src/describe/find-key-doc.ts";
import { loadConfigJsonSchema } from "@unroll/config";
import { expect, test } from "vitest";
import { createTempHome, override } from "./temp-home.ts";

/** Every key of the schema that is no table of known keys, `*` for a free name. */
function listLeaves(path: readonly string[]): readonly string[] {
  if (path.join(".") === "profiles") return ["profiles.*"];
  const below = takesFreeNames(path) ? ["*"] : listKeys(path);
  const isTableOfTables = takesFreeNames(path) && listKeys([...path, "*"]).length > 0;
  if (below.length === 0 || (takesFreeNames(path) && !isTableOfTables)) return [path.join(".")];
  return below.flatMap((key) => listLeaves([...path, key]));
}

test("every key of the schema is described, and nothing else is", () => {
  const leaves = listLeaves([]);
  expect(leaves.length).toBeGreaterThan(60);
  expect([...keyDocs.keys()].toSorted()).toEqual(leaves.toSorted());
  const wordless = [...keyDocs].filter(([, { text }]) => text === "").map(([name]) => name);
  expect(wordless).toEqual([]);
});

test("a default is that of a key, and one that the key can have", () => {
  for (const name of Object.keys(defaults))
    expect([name, findSchema(name.split(".")) !== undefined]).toEqual([name, true]);
});

test("each key of the JSON Schema is one that can be set", async () => {
  await using home = await createTempHome();
  const schema = await loadConfigJsonSchema();
  expect(schema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    additionalProperties: false,
    properties: {
      model: { type: "string", default: "gpt-6.1-sol", description: expect.stringContaining("the model (") },
      desktop: { description: "Without effect in unroll." },
      profiles: { additionalProperties: { properties: { sandbox_mode: { enum: expect.any(Array) } } } },
      mcp_servers: { additionalProperties: { properties: { args: { default: [] } } } },
    },
  });
  const keys = Object.keys((schema["properties"] ?? {}) as object);
  for (const key of keys) {
    const outcome = await home.load({ overrides: [override(key, "{}")] }).catch(() => null);
    expect([key, outcome?.warnings.some(({ code }) => code === "key_unknown") ?? false]).toEqual([key, false]);
  }
});
