import { defineTool } from "@unroll/tools";
import { expect, test } from "vitest";
import * as z from "zod";
import { createRuntime, functionCall, outputText, runCalls, type RunResult } from "../fake-ports.ts";

/** `answer` may be what no tool should give. */
function run(answer: unknown): Promise<RunResult> {
  const tool = defineTool({
    name: "say",
    description: "",
    input: z.strictObject({}),
    run: async () => answer as string,
  });
  return runCalls(createRuntime([tool]), [functionCall("say", {})]);
}

const image = { type: "input_image", image_url: "data:image/png;base64,AAAA" };
const message = { type: "message", role: "user", content: [{ type: "input_text", text: "more" }] };

test.for([
  ["a text", "hello", "hello"],
  ["no text", "", ""],
  ["content parts", [{ type: "input_text", text: "look" }, image], [{ type: "input_text", text: "look" }, image]],
  ["a result", { output: "hello" }, "hello"],
  ["a JSON object", { temperature: 21, unit: "C" }, '{"temperature":21,"unit":"C"}'],
  ["a number", 5, "5"],
  ["zero without its sign", -0, "0"],
  ["a yes", true, "true"],
  ["a no", false, "false"],
  ["null", null, "null"],
  ["a JSON list", [{ type: "lion", age: 3 }], '[{"type":"lion","age":3}]'],
] as const)("a tool may give back %s", async ([, answer, output]) => {
  const { items, events } = await run(answer);
  expect(items).toEqual([{ type: "function_call_output", call_id: "call_1", output }]);
  expect(events.at(-1)).toMatchObject({ item: { status: "completed" } });
});

test("messages of a result follow the outputs", async () => {
  const { items } = await run({ output: "see below", followUp: [message] });
  expect(items).toEqual([{ type: "function_call_output", call_id: "call_1", output: "see below" }, message]);
});

const loop: Record<string, unknown> = {};
loop["self"] = loop;

test.for([
  ["nothing", undefined, "gave back undefined;"],
  ["a number that JSON does not have", Number.NaN, "gave back NaN;"],
  ["a number without an end", Infinity, "gave back Infinity;"],
  ["a bigint", 5n, "gave back a bigint;"],
  ["a function", () => "5", "gave back a function;"],
  ["an output that is a number", { output: 5 }, "gave back a result that is none: see its output;"],
  ["an output without parts", { output: [] }, "see its output;"],
  ["a part of an unknown type", { output: [{ type: "input_video", url: "x" }] }, "see its output;"],
  ["a bare part of an unknown type", [{ type: "input_video", url: "x" }], "see its output;"],
  ["a part without its text", { output: [{ type: "input_text" }] }, "see its output;"],
  ["a result with more than is known", { output: "x", isError: true }, "gave back a result that is none"],
  ["a follow-up that is no item", { output: "x", followUp: ["more"] }, "see its followUp;"],
  ["a follow-up that is no list", { output: "x", followUp: message }, "see its followUp;"],
  [
    "a call among the follow-ups",
    { output: "x", followUp: [{ type: "function_call", call_id: "c", name: "say", arguments: "{}" }] },
    "see its followUp;",
  ],
  [
    "an output among the follow-ups",
    { output: "x", followUp: [{ type: "function_call_output", call_id: "call_1", output: "again" }] },
    "see its followUp;",
  ],
  ["an object that JSON would empty", new Map([["a", 1]]), "gave back an object that is no plain one"],
  ["an object that is no JSON", loop, "gave back an object that cannot be written as JSON"],
] as const)("%s fails the call, and not the turn", async ([, answer, fault]) => {
  const result = await run(answer);
  const reason = expect.stringMatching(/^The tool say gave back .*it has to be text, content parts, any JSON, or/);
  expect(result.events.at(-1)).toMatchObject({ type: "item.completed", item: { status: "failed", reason } });
  expect(outputText(result)).toContain(fault);
  expect(result.items).toHaveLength(1);
});
