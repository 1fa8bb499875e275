import { createUpdatePlanTool } from "@unroll/tools";
import { expect, test } from "vitest";
import {
  createDenyingGate,
  createNotes,
  createRuntime,
  functionCall,
  outputText,
  runCalls,
  toolCall,
  withFacts,
} from "../fake-ports.ts";

const step = (name: string, status: string) => ({ step: name, status });

test("the first plan of a turn starts a list, the next ones update it, the end of the turn completes it", async () => {
  const runtime = createRuntime([createUpdatePlanTool(createNotes())]);
  const plans = [
    [step("Read", "in_progress"), step("Write", "pending")],
    [step("Read", "completed"), step("Write", "in_progress")],
  ];
  const calls = plans.map((plan, index) => functionCall("update_plan", { plan }, `call_${index}`));
  const { items, events } = await runCalls(runtime, calls);
  expect(items).toMatchObject([{ output: "Plan updated" }, { output: "Plan updated" }]);
  const list = (read: boolean) => ({
    id: "item_0",
    type: "todo_list",
    items: [
      { text: "Read", completed: read },
      { text: "Write", completed: false },
    ],
  });
  expect(events).toEqual([
    { type: "item.started", item: list(false) },
    { type: "item.updated", item: list(true) },
  ]);
  expect(runtime.endTurn()).toEqual([{ type: "item.completed", item: list(true) }]);
  expect(runtime.endTurn()).toEqual([]);

  const next = await runCalls(runtime, [functionCall("update_plan", { plan: [step("Test", "pending")] }, "call_2")]);
  expect(next.events).toMatchObject([{ type: "item.started" }]);
});

test.for([
  [
    "two steps in progress",
    [step("a", "in_progress"), step("b", "in_progress")],
    "- plan: Only one step may be in_progress.",
  ],
  ["a step without a name", [step(" ", "pending")], "- plan[0].step: Too small"],
  ["no steps", [], "- plan: Too small"],
  ["a status that there is not", [step("a", "done")], "- plan[0].status: Invalid option"],
] as const)("a plan with %s is sent back", async ([_what, plan, problem]) => {
  const runtime = createRuntime([createUpdatePlanTool(createNotes())]);
  const result = await runCalls(runtime, [functionCall("update_plan", { plan })]);
  expect(outputText(result)).toContain(problem);
  const call = toolCall("update_plan", { plan });
  const output = outputText(result);
  expect(result.events).toEqual(withFacts([call.started, call.ended({ output, status: "failed", reason: output })]));
  expect(runtime.endTurn()).toEqual([]);
});

test("the plan is among the thread's notes, and a resumed thread continues with it", async () => {
  const notes = createNotes();
  const plan = [step("Read", "completed"), step("Write", "pending")];
  await runCalls(createRuntime([createUpdatePlanTool(notes)]), [functionCall("update_plan", { plan })]);
  const steps = [
    { text: "Read", completed: true },
    { text: "Write", completed: false },
  ];
  expect(notes.get("plan")).toEqual({ itemId: "item_0", steps });
  const resumed = createRuntime([createUpdatePlanTool(notes)]);
  expect(resumed.endTurn()).toEqual([
    { type: "item.completed", item: { id: "item_0", type: "todo_list", items: steps } },
  ]);
  expect(notes.get("plan")).toEqual({ itemId: null, steps });
});

test("a plan that is declined shows no list, but the call", async () => {
  const args = { plan: [step("Read", "pending")] };
  const runtime = createRuntime([createUpdatePlanTool(createNotes())], { gate: createDenyingGate("No.") });
  const { events } = await runCalls(runtime, [functionCall("update_plan", args)]);
  const call = toolCall("update_plan", args);
  const output = "The call was not run: No.";
  expect(events).toEqual(withFacts([call.started, call.ended({ output, status: "declined", reason: "No." })]));
});
