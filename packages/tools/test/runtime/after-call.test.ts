import { createSecretMask } from "@unroll/text";
import { type AfterCall, defineTool, type FinishedToolCall } from "@unroll/tools";
import { expect, test } from "vitest";
import * as z from "zod";
import {
  createDenyingGate,
  createRuntime,
  functionCall,
  type RunResult,
  runCalls,
  toolCall,
  withFacts,
} from "../fake-ports.ts";

const read = defineTool({
  name: "read",
  description: "",
  input: z.strictObject({ text: z.string() }),
  run: async ({ text }) => text,
});

async function readText(text: string, afterCall: AfterCall): Promise<RunResult> {
  const secrets = createSecretMask([{ name: "KEY", value: "hunter2-hunter2" }]);
  return runCalls(createRuntime([read], { afterCall, secrets }), [functionCall("read", { text })]);
}

function output(text: string): object {
  return { type: "function_call_output", call_id: "call_1", output: text };
}

test("a result is replaced before the model gets it, and an event for users has the reason", async () => {
  const { events, items } = await readText("name: Ann, born 1980", () => ({
    output: "name: Ann",
    reason: "Dates of birth stay here.",
  }));
  expect(items).toEqual([output("name: Ann")]);
  const shown = toolCall("read", { text: "name: Ann, born 1980" });
  expect(events).toEqual(
    withFacts([
      shown.started,
      { type: "warning", message: "The result of read was replaced: Dates of birth stay here." },
      shown.ended({ output: "name: Ann", status: "completed" }),
    ]),
  );
});

test("the look sees the call and its whole result, without secrets, and may leave it", async () => {
  const seen: FinishedToolCall[] = [];
  const { items } = await readText("the key is hunter2-hunter2", (call) => {
    seen.push(call);
    return null;
  });
  const [masked = { output: "" }] = items as unknown as readonly { readonly output: string }[];
  expect(masked.output).not.toContain("hunter2");
  expect(seen).toEqual([
    { call: functionCall("read", { text: "the key is hunter2-hunter2" }), output: masked.output, fault: null },
  ]);
});

test("a secret in what takes the place of a result is masked, too", async () => {
  const { items } = await readText("x", () => ({ output: "hunter2-hunter2", reason: "Why not." }));
  expect(JSON.stringify(items)).not.toContain("hunter2");
});

test.each<[string, AfterCall, string]>([
  ["throws", () => Promise.reject(new Error("no disk")), "The check after the call failed: no disk"],
  [
    "gives something else than a result",
    () => ({ output: 7, reason: "" }) as never,
    "The check after the call gave back a result that is none: see its output; it has to be text, content parts, any JSON, or { output, followUp? }.",
  ],
])("where the look %s, the result is withheld", async (_, afterCall, reason) => {
  const { events, items } = await readText("secret", afterCall);
  expect(items).toEqual([
    output(
      `The call ran, but its result was withheld. ${reason}\nDo not repeat the call; continue without its result.`,
    ),
  ]);
  expect(events.at(-1)).toMatchObject({
    item: { status: "failed", reason: `Its result was withheld. ${reason}` },
  });
});

test("a call that did not run has no result to look at", async () => {
  const seen: unknown[] = [];
  const afterCall: AfterCall = (call) => {
    seen.push(call);
    return null;
  };
  const runtime = createRuntime([read], { afterCall, gate: createDenyingGate("No.") });
  await runCalls(runtime, [functionCall("read", { text: "x" }), functionCall("read", "{", "call_2")]);
  expect(seen).toEqual([]);
});
