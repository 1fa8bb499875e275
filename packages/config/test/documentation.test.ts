import { createConfigJsonSchema } from "@unroll/config/upkeep";
import { expect, test } from "vitest";
import { findFaults } from "../src/check/find-faults.ts";
import { keysByName, listUsersPaths } from "../src/keys/config-schema.ts";
import { toSchema } from "../src/keys/kinds.ts";
import { createTempHome, override } from "./temp-home.ts";

const keys = [...keysByName().values()];

test("every key has words, and a default that it can have", () => {
  expect(keys.length).toBeGreaterThan(150);
  for (const { name, kind, text, default: standard } of keys) {
    const { faults, unknown } =
      standard === undefined ? { faults: [], unknown: [] } : findFaults(standard, toSchema(kind));
    expect({ name, hasWords: text.length > 5, faults, unknown }).toEqual({
      name,
      hasWords: true,
      faults: [],
      unknown: [],
    });
  }
});

test("what only the user sets is exactly the keys that say so", () => {
  const users = listUsersPaths().map((path) => `${path.join(".")}.`);
  const isUsers = (name: string): boolean => users.some((path) => `${name}.`.startsWith(path));
  expect(keys.filter(({ by, name }) => (by === "user") !== isUsers(name)).map(({ name }) => name)).toEqual([]);
});

test("each key of the JSON Schema is one that can be set", async () => {
  await using home = await createTempHome();
  const schema = createConfigJsonSchema();
  expect(schema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    additionalProperties: false,
    properties: {
      model: { type: "string", default: "gpt-6.1-sol", description: expect.stringContaining("the model to use (") },
      desktop: { description: "No effect in unroll." },
      profiles: { additionalProperties: { properties: { sandbox_mode: { enum: expect.any(Array) } } } },
      mcp_servers: { additionalProperties: { properties: { args: { default: [] } } } },
    },
  });
  const names = Object.keys((schema["properties"] ?? {}) as object);
  for (const key of names) {
    const outcome = await home.load({ overrides: [override(key, "{}")] }).catch(() => null);
    expect([key, outcome?.warnings.some(({ code }) => code === "key_unknown") ?? false]).toEqual([key, false]);
  }
});
