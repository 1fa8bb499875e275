import { type CallGate, type CallVerdict, defineTool } from "@unroll/tools";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  createDenyingGate,
  createGate,
  createRuntime,
  functionCall,
  outputText,
  runCalls,
  type RunResult,
  toolCall,
  withFacts,
} from "../fake-ports.ts";

/** Calls a tool that writes down each run. */
async function deploy(
  gate: CallGate,
  definition: { readonly approval?: "ask" | ((input: { target: string }) => "run" | "ask") } = {},
): Promise<RunResult & { readonly runs: readonly string[] }> {
  const runs: string[] = [];
  const tool = defineTool({
    name: "deploy",
    description: "",
    input: z.strictObject({ target: z.string() }),
    ...definition,
    run: async ({ target }) => {
      runs.push(target);
      return "done";
    },
  });
  const result = await runCalls(createRuntime([tool], { gate }), [functionCall("deploy", { target: "staging" })]);
  return { ...result, runs };
}

const call = toolCall("deploy", { target: "staging" });

describe("the gate", () => {
  test("is asked about a host's tool, with what its author says", async () => {
    const gate = createGate();
    await deploy(gate);
    await deploy(gate, { approval: "ask" });
    await deploy(gate, { approval: ({ target }) => (target === "staging" ? "run" : "ask") });
    await deploy(gate, { approval: () => true as never });
    const gated = { type: "tool", tool: "deploy", arguments: { target: "staging" } };
    expect(gate.calls).toEqual(["run", "ask", "run", "ask"].map((approval) => ({ ...gated, approval })));
  });

  test("is asked when the call has started to be shown, and before anything of it runs", async () => {
    const log: string[] = [];
    const gate: CallGate = {
      async judge(_call, { itemId, emit }) {
        await emit({ type: "warning", message: `asked under ${itemId}` });
        return { type: "run", confinement: "policy" };
      },
    };
    const { events, runs } = await deploy(gate);
    for (const event of events) log.push("item" in event ? event.type : (event as { message: string }).message);
    expect(log).toEqual(["item.started", "asked under item_0", "item.completed"]);
    expect(runs).toEqual(["staging"]);
  });

  test("that denies a call keeps it from running, and the model and the events get its reason", async () => {
    const result = await deploy(createDenyingGate("Not on a Friday."));
    const output = "The call was not run: Not on a Friday.";
    expect(outputText(result)).toBe(output);
    expect(result.events).toEqual(
      withFacts([call.started, call.ended({ output, status: "declined", reason: "Not on a Friday." })]),
    );
    expect(result.runs).toEqual([]);
  });

  test.for([
    ["nothing", undefined],
    ["null", null],
    ["true", true],
    ["a text", "run"],
    ["an empty object", {}],
    ["a run without a place", { type: "run" }],
    ["a run in a place that there is not", { type: "run", confinement: "some" }],
    ["a run with more than is known", { type: "run", confinement: "policy", until: "noon" }],
    ["a run with an environment of no texts", { type: "run", confinement: "policy", environment: { A: 1 } }],
    ["another verdict", { type: "allow", confinement: "policy" }],
    ["a no without words", { type: "declined" }],
    ["a list of runs", [{ type: "run", confinement: "policy" }]],
  ] as const)("that says %s runs nothing, with a warning", async ([, verdict]) => {
    const { events, runs } = await deploy(createGate(() => verdict as unknown as CallVerdict));
    expect(runs).toEqual([]);
    expect(events).toMatchObject([
      { type: "item.started" },
      { type: "warning", message: expect.stringContaining("no verdict that is known") },
      { type: "item.completed", item: { status: "declined", reason: expect.stringContaining("no verdict") } },
    ]);
  });

  test("that throws runs nothing, with a warning", async () => {
    const { events, runs } = await deploy({ judge: () => Promise.reject(new Error("no such rule")) });
    expect(runs).toEqual([]);
    expect(events).toMatchObject([
      { type: "item.started" },
      { type: "warning", message: expect.stringContaining("no such rule") },
      { type: "item.completed", item: { status: "declined" } },
    ]);
  });

  test("that says yes after an interruption runs nothing", async () => {
    const user = new AbortController();
    let runs = 0;
    const tool = defineTool({
      name: "deploy",
      description: "",
      input: z.strictObject({}),
      run: async () => `${runs++}`,
    });
    const gate: CallGate = {
      async judge() {
        user.abort();
        return { type: "run", confinement: "policy" };
      },
    };
    const result = await runCalls(createRuntime([tool], { gate }), [functionCall("deploy", {})], {
      signal: user.signal,
    });
    expect(runs).toBe(0);
    expect(outputText(result)).toBe("aborted by user before it was approved; it was not run");
    expect(result.events.at(-1)).toMatchObject({
      type: "item.completed",
      item: { status: "declined", reason: "It was not run: the turn was interrupted before it was approved." },
    });
  });
});
