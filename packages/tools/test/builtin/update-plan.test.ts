import { createUpdatePlanTool } from "@unroll/tools";
import { expect, test } from "vitest";
import { createRuntime, functionCall, outputText, runCalls } from "../fake-ports.ts";

const step = (name: string, status: string) => ({ step: name, status });

test("the first plan of a turn starts a list, the next ones update it, the end of the turn completes it", async () => {
  const runtime = createRuntime([createUpdatePlanTool()]);
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
  const runtime = createRuntime([createUpdatePlanTool()]);
  const result = await runCalls(runtime, [functionCall("update_plan", { plan })]);
  expect(outputText(result)).toContain(problem);
  expect(result.events).toEqual([]);
  expect(runtime.endTurn()).toEqual([]);
});
