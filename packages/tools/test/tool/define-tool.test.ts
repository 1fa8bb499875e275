import { createToolRegistry, defineCustomTool, defineTool } from "@unroll/tools";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createRuntime, functionCall, outputText, runCalls } from "../fake-ports.ts";

const addTool = defineTool({
  name: "add",
  description: "Adds numbers.",
  input: z.strictObject({
    a: z.number().describe("The first."),
    b: z.number().optional(),
    round: z.boolean().default(false),
  }),
  concurrency: "shared",
  run: async ({ a, b = 0, round }) => ({ output: String(round ? Math.round(a + b) : a + b) }),
});

const callAdd = async (args: unknown) =>
  outputText(await runCalls(createRuntime([addTool]), [functionCall("add", args)]));

describe("a function tool", () => {
  test("tells the model its schema, with optional fields left out of required", () => {
    expect(addTool.spec).toEqual({
      type: "function",
      name: "add",
      description: "Adds numbers.",
      strict: false,
      parameters: {
        type: "object",
        properties: {
          a: { type: "number", description: "The first." },
          b: { type: "number" },
          round: { type: "boolean", default: false },
        },
        required: ["a"],
        additionalProperties: false,
      },
    });
  });

  test("runs with its checked input", async () => {
    expect(await callAdd({ a: 1, b: 2 })).toBe("3");
    expect(await callAdd({ a: 1.4, round: true })).toBe("1");
  });

  test("says which fields do not fit and what they are", async () => {
    expect(await callAdd({ a: "1", c: 2 })).toBe(
      [
        "The call was not run. Its arguments do not fit:",
        "- a: Invalid input: expected number, received string",
        '- Unrecognized key: "c"',
        "Call it again with the fields a, b (optional), round (optional).",
      ].join("\n"),
    );
  });

  test("takes empty arguments for none", async () => {
    expect(await callAdd("")).toContain("- a: Invalid input: expected number, received undefined");
  });

  test("says where arguments stop being JSON", async () => {
    const text = await callAdd('{"a": 1');
    expect(text).toMatch(/^The call was not run\. Its arguments are not valid JSON: .*position 7/);
    expect(text).toContain("Call it again with one JSON object.");
  });

  test("refuses JSON that is not an object", async () => {
    expect(await callAdd("[1]")).toContain("expected object, received array");
  });
});

describe("a custom tool", () => {
  const echo = defineCustomTool({
    name: "echo",
    description: "Says it again.",
    grammar: "start: /.+/",
    concurrency: "shared",
    run: async (text) => ({ output: text }),
  });

  test("has a grammar instead of a schema", () => {
    expect(echo.spec).toEqual({
      type: "custom",
      name: "echo",
      description: "Says it again.",
      format: { type: "grammar", syntax: "lark", definition: "start: /.+/" },
    });
  });

  test("gets the model's text as it is", async () => {
    const call = { type: "custom_tool_call", call_id: "call_1", name: "echo", input: " { a\n" } as const;
    expect((await runCalls(createRuntime([echo]), [call])).items).toEqual([
      { type: "custom_tool_call_output", call_id: "call_1", output: " { a\n" },
    ]);
  });

  test("called as a function, where a server knows no other, it gets the text of its one argument", async () => {
    const call = functionCall("echo", { input: " { a\n" });
    expect((await runCalls(createRuntime([echo]), [call])).items).toEqual([
      { type: "function_call_output", call_id: "call_1", output: " { a\n" },
    ]);
  });

  test("called as the other kind, it says which kind it is", async () => {
    expect(outputText(await runCalls(createRuntime([echo]), [functionCall("echo", {})]))).toBe(
      "The call was not run. echo is a custom tool: its input is plain text, not JSON arguments.",
    );
    const call = { type: "custom_tool_call", call_id: "call_1", name: "add", input: "1" } as const;
    expect(outputText(await runCalls(createRuntime([addTool]), [call]))).toBe(
      "The call was not run. add is a function: it takes JSON arguments, not plain text.",
    );
  });
});

describe("a registry", () => {
  test("keeps the order given", () => {
    const other = defineTool({ ...definitionOf("zeta"), name: "zeta" });
    expect(createToolRegistry([other, addTool]).specs).toEqual([other.spec, addTool.spec]);
  });

  test("refuses a name that is given twice", () => {
    expect(() => createToolRegistry([addTool, addTool])).toThrow('Tool name "add" is given to two tools');
  });

  test("refuses a name that the API does not take", () => {
    const tool = { ...addTool, name: "a b" };
    expect(() => createToolRegistry([tool])).toThrow('Tool name "a b": use 1 to 64 letters, digits, "_" or "-".');
  });
});

function definitionOf(name: string) {
  return {
    name,
    description: "",
    input: z.strictObject({}),
    concurrency: "shared",
    run: async () => ({ output: "" }),
  } as const;
}
