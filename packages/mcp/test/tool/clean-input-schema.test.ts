import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanInputSchema } from "../../src/tool/clean-input-schema.ts";

function clean(schema: unknown): unknown {
  const cleaned = cleanInputSchema(schema);
  return cleaned.type === "cleaned" ? cleaned.schema : cleaned.reason;
}
const objectOf = (properties: Record<string, unknown>): unknown => ({ type: "object", properties });
const propertyOf = (schema: unknown, extra = {}): unknown => {
  const cleaned = clean({ type: "object", properties: { it: schema }, ...extra }) as { properties: { it: unknown } };
  return cleaned.properties.it;
};

describe("an input schema", () => {
  it("keeps what the API takes and loses the rest", () => {
    expect(
      clean({
        $schema: "http://json-schema.org/draft-07/schema#",
        $id: "x",
        type: "object",
        description: "What it is.",
        properties: { a: { type: "string", minLength: 1, contentEncoding: "base64", "x-own": 1, default: "z" } },
        patternProperties: { "^x": {} },
        required: ["a", "gone"],
        additionalProperties: false,
      }),
    ).toEqual({
      type: "object",
      description: "What it is.",
      properties: { a: { type: "string", minLength: 1, default: "z" } },
      required: ["a"],
      additionalProperties: false,
    });
  });

  it.for([
    ["nothing", {}, objectOf({})],
    ["a bare object", { type: "object" }, objectOf({})],
    ["no type but properties", { properties: { a: {} } }, objectOf({ a: {} })],
    ["a list of types", { type: ["object", "null"] }, objectOf({})],
    ["required that is null", { type: "object", required: null }, objectOf({})],
    ["properties that are null", { type: "object", properties: null }, objectOf({})],
    ["an enum at the root", { type: "object", enum: [{}], const: {} }, objectOf({})],
    ["a text", "object", "its input schema is not an object"],
    ["another type", { type: "array", items: {} }, "its input schema describes no object"],
    ["a schema that nothing fits", { type: "object", not: {} }, "its input schema describes no object"],
  ] as const)("with %s at its root comes out as an object or not at all", ([, schema, expected]) => {
    expect(clean(schema)).toEqual(expected);
  });

  it("says what an array holds and what an object has", () => {
    expect(propertyOf({ type: "array" })).toEqual({ type: "array", items: {} });
    expect(propertyOf({ items: { type: "string" } })).toEqual({ type: "array", items: { type: "string" } });
    expect(propertyOf({ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] })).toEqual({
      type: "array",
      items: { anyOf: [{ type: "string" }, { type: "number" }] },
    });
    expect(propertyOf({ type: "object", additionalProperties: { type: "array" } })).toEqual({
      type: "object",
      properties: {},
      additionalProperties: { type: "array", items: {} },
    });
    expect(propertyOf({ enum: ["a", "b"] })).toEqual({ type: "string", enum: ["a", "b"] });
    expect(propertyOf(true)).toEqual({});
    expect(propertyOf(false)).toBeUndefined();
  });

  it("has its references inlined, and a recursive one cut", () => {
    const $defs = {
      Name: { type: "string", description: "A name." },
      Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } },
      "odd/~name": { type: "number" },
    };
    expect(propertyOf({ $ref: "#/$defs/Name", description: "Whose." }, { $defs })).toEqual({
      type: "string",
      description: "Whose.",
    });
    expect(propertyOf({ $ref: "#/$defs/Node" }, { $defs })).toEqual(objectOf({ next: {} }));
    expect(propertyOf({ $ref: "#/$defs/odd~1~0name" }, { $defs })).toEqual({ type: "number" });
    expect(propertyOf({ $ref: "https://example.test/schema" }, { $defs })).toEqual({});
    expect(propertyOf({ $ref: "#/$defs/absent" }, { $defs })).toEqual({});
    expect(clean({ $ref: "#/$defs/Node", $defs })).toEqual(objectOf({ next: {} }));
  });

  it("has its unions made simple", () => {
    expect(propertyOf({ anyOf: [{ not: {} }, { type: "string" }], description: "Optional." })).toEqual({
      type: "string",
      description: "Optional.",
    });
    expect(propertyOf({ oneOf: [{ type: "string" }, { type: "null" }] })).toEqual({
      anyOf: [{ type: "string" }, { type: "null" }],
    });
    expect(
      propertyOf({ allOf: [{ type: "object", properties: { a: {} }, required: ["a"] }, { properties: { b: {} } }] }),
    ).toEqual({ type: "object", properties: { b: {}, a: {} }, required: ["a"] });
  });

  it("with a union at its root has the properties of all alternatives", () => {
    expect(
      clean({
        type: "object",
        oneOf: [
          { properties: { kind: { const: "a" }, path: { type: "string" } }, required: ["kind", "path"] },
          { properties: { kind: { const: "b" }, size: { type: "number" } }, required: ["kind"] },
          { properties: { kind: { const: "c" } }, required: ["kind"] },
        ],
      }),
    ).toEqual({
      type: "object",
      properties: {
        kind: { anyOf: [{ const: "a" }, { const: "b" }, { const: "c" }] },
        path: { type: "string" },
        size: { type: "number" },
      },
      required: ["kind"],
    });
  });

  it("that grows without end when its references are inlined is refused", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 20 }, (_, level) => [
        `n${level}`,
        objectOf({ a: { $ref: `#/$defs/n${level + 1}` }, b: { $ref: `#/$defs/n${level + 1}` } }),
      ]),
    );
    expect(clean({ $ref: "#/$defs/n0", $defs })).toBe("its input schema has more than 5000 parts, references inlined");
  });

  it("that is nested without end is cut", () => {
    const deep = Array.from({ length: 1_000 }).reduce<unknown>((inner) => objectOf({ in: inner }), {});
    expect(JSON.stringify(clean(deep)).match(/"in"/g)).toHaveLength(60);
    const $defs = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, level) => [`n${level}`, objectOf({ in: { $ref: `#/$defs/n${level + 1}` } })]),
    );
    expect(clean({ $ref: "#/$defs/n0", $defs })).toMatchObject({ type: "object" });
  });

  it("whatever it is comes out as an object in known keywords, or is refused", () => {
    const known =
      /^(type|title|description|default|enum|const|format|pattern|properties|required|items|anyOf|additionalProperties|(min|max)(Length|Items|Properties|imum)|exclusiveM(in|ax)imum|multipleOf|uniqueItems)$/;
    function check(schema: unknown): void {
      const node = schema as Record<string, unknown>;
      for (const key of Object.keys(node)) expect(key).toMatch(known);
      expect(node["type"] === "array" && node["items"] === undefined).toBe(false);
      expect(node["type"] === "object" && node["properties"] === undefined).toBe(false);
      for (const child of Object.values((node["properties"] ?? {}) as object)) check(child);
      for (const child of (node["anyOf"] ?? []) as unknown[]) check(child);
      if (node["items"] !== undefined) check(node["items"]);
    }
    const keys = [
      "type",
      "properties",
      "items",
      "anyOf",
      "allOf",
      "oneOf",
      "not",
      "$ref",
      "required",
      "enum",
      "additionalProperties",
      "weird",
    ];
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(
          true,
          false,
          null,
          "x",
          1,
          {},
          { type: "object" },
          { $ref: "#" },
          { $ref: "#/properties/a" },
        ),
        fc.dictionary(
          fc.constantFrom(...keys, "a"),
          fc.oneof(
            tie("schema"),
            fc.array(tie("schema"), { maxLength: 3 }),
            fc.constantFrom("object", "array", "#", "#/anyOf/0"),
          ),
        ),
      ),
    }));
    fc.assert(
      fc.property(schema, (input) => {
        const cleaned = cleanInputSchema(input);
        if (cleaned.type === "rejected") return;
        expect(cleaned.schema).toMatchObject({ type: "object" });
        for (const keyword of ["anyOf", "enum", "const"]) expect(cleaned.schema).not.toHaveProperty(keyword);
        check(cleaned.schema);
        expect(cleanInputSchema(cleaned.schema)).toEqual(cleaned);
      }),
      { numRuns: 2_000 },
    );
  });
});
