import { createToolRegistry, defineCustomTool, defineTool } from "@unroll/tools";
import { describe, expect, test } from "vitest";
import * as zod from "zod";
import * as zod3 from "zod-3";
import * as oldestZod from "zod-4-oldest";
import { createRuntime, functionCall, outputText, runCalls } from "../fake-ports.ts";

const versions = [
  ["the oldest zod 4", oldestZod],
  ["the newest zod 4", zod],
] as const;

describe.each(versions)("a tool whose input is of %s", (_, z) => {
  const deploy = defineTool({
    name: "deploy",
    description: "Deploys.",
    input: (z as typeof zod).strictObject({
      target: (z as typeof zod).enum(["staging", "production"]).describe("Where to."),
      times: (z as typeof zod).number().default(1),
      to: (z as typeof zod).object({ region: (z as typeof zod).string().describe("Of the cloud.") }).optional(),
    }),
    run: ({ target, times }) => `deployed to ${target} ${times} time`,
  });

  test("tells the model its schema with all descriptions", () => {
    expect(createToolRegistry([deploy]).specs[0]).toMatchObject({
      parameters: {
        type: "object",
        properties: {
          target: { type: "string", enum: ["staging", "production"], description: "Where to." },
          times: { type: "number", default: 1 },
          to: { properties: { region: { type: "string", description: "Of the cloud." } } },
        },
        required: ["target"],
        additionalProperties: false,
      },
    });
  });

  test("is checked and given its defaults", async () => {
    const call = async (args: unknown) =>
      outputText(await runCalls(createRuntime([deploy]), [functionCall("deploy", args)]));
    expect(await call({ target: "staging" })).toBe("deployed to staging 1 time");
    expect(await call({ target: "moon", to: {} })).toMatch(
      /- target: .*\n- to\.region: .*\n.*times \(optional\), to \(optional\)\./,
    );
  });
});

test("an unusable schema of the oldest zod 4 is reported when its tool is registered", () => {
  const define = (input: oldestZod.ZodType): (() => unknown) => {
    const tool = defineTool({ name: "ok", description: "", input, run: async () => "" });
    expect(() => tool.spec).toThrow(
      "Tool ok: its zod does not write JSON Schema: hand it to a thread, or update zod to 4.2.",
    );
    return () => createToolRegistry([tool]);
  };
  expect(define(oldestZod.string())).toThrow("Tool ok, input: an object is expected");
  expect(define(oldestZod.object({ at: oldestZod.date() }))).toThrow("Tool ok, input: Date cannot be represented");
});

test("the types of the oldest zod 4 lead the way, too", () => {
  const input = oldestZod.object({ count: oldestZod.number() });
  const tool = defineTool({ name: "count", description: "", input, run: ({ count }) => count.toFixed() });
  expect(tool.name).toBe("count");
});

/** As libraries other than zod have it: Standard Schema, with its JSON Schema. */
const textSchema = {
  "~standard": {
    version: 1,
    vendor: "of this test",
    validate: (value: unknown) =>
      typeof value === "object" && value !== null && "text" in value && typeof value.text === "string"
        ? { value: { text: value.text } }
        : { issues: [{ message: "must be a string", path: ["text"] }] },
    jsonSchema: {
      input: () => ({ type: "object", properties: { text: { type: "string" } }, required: ["text"] }),
      output: () => ({ type: "object", properties: { text: { type: "string" } }, required: ["text"] }),
    },
  },
} as const;

test("a schema of another library is taken where it writes JSON Schema", async () => {
  const say = defineTool({ name: "say", description: "", input: textSchema, run: ({ text }) => text });
  expect(say.spec).toMatchObject({
    parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  });
  const call = async (args: unknown) => outputText(await runCalls(createRuntime([say]), [functionCall("say", args)]));
  expect(await call({ text: "hi" })).toBe("hi");
  expect(await call({ text: 1 })).toContain("text");
});

describe("a definition of the wrong shape is refused where it is written", () => {
  const right = { name: "ok", description: "", input: zod.object({}), run: async () => "" };
  test.each([
    [{ ...right, name: "two words" }, 'Tool name "two words": use 1 to 64 letters, digits, "_" or "-".'],
    [{ ...right, input: zod3.object({}) }, "Tool ok, input: this is a schema of zod 3: make it with zod 4"],
    [
      { ...right, input: { type: "object" } },
      "Tool ok, input: a schema is expected, as z.object({ … }) of zod 4 gives it.",
    ],
    [{ ...right, input: undefined }, "Tool ok, input: a schema is expected"],
    [{ ...right, input: zod.string() }, "Tool ok, input: an object is expected: z.object({ … })."],
    [
      { ...right, input: zod.object({ at: zod.date() }) },
      "Tool ok, input: Date cannot be represented in JSON Schema: use what JSON has (texts, numbers, lists, objects).",
    ],
    [{ ...right, run: undefined }, 'Tool "ok": run has to be a function.'],
  ])("%#", (definition, message) => {
    expect(() => defineTool(definition as never)).toThrow(message);
  });

  test("of a custom tool, too", () => {
    expect(() => defineCustomTool({ name: "", description: "", grammar: "", run: async () => "" })).toThrow(
      'Tool name ""',
    );
  });
});
