import type { ThreadEvent, TodoListThreadItem } from "@unroll/protocol";
import * as z from "zod";
import { defineTool } from "../tool/define-tool.ts";
import type { CallableTool } from "../tool/tool.ts";

const planSchema = z
  .array(
    z.strictObject({
      step: z.string().trim().min(1).describe("What is to be done, in a few words."),
      status: z.enum(["pending", "in_progress", "completed"]),
    }),
  )
  .min(1)
  .refine((plan) => plan.filter(({ status }) => status === "in_progress").length <= 1, {
    error: "Only one step may be in_progress.",
  })
  .describe("All steps in order, the finished ones too. At most one is in_progress.");

/** The plan that the user sees. Holds the open `todo_list` item of the turn: make one tool for each thread. */
export function createUpdatePlanTool(): CallableTool {
  let open: TodoListThreadItem | null = null;
  return defineTool({
    name: "update_plan",
    description:
      "Shows the user the steps of your plan and how far each is. Each call replaces the whole plan. For work of several steps: call it when you begin and whenever a step is finished or the plan changes. Not for simple tasks.",
    input: z.strictObject({
      explanation: z.string().describe("Why the plan changed, when it did.").optional(),
      plan: planSchema,
    }),
    concurrency: "exclusive",
    async run({ plan }, context) {
      const type = open ? "item.updated" : "item.started";
      const items = plan.map(({ step, status }) => ({ text: step, completed: status === "completed" }));
      open = { id: open?.id ?? context.nextItemId(), type: "todo_list", items };
      await context.emit({ type, item: open });
      return { output: "Plan updated" };
    },
    endTurn(): readonly ThreadEvent[] {
      const item = open;
      open = null;
      return item ? [{ type: "item.completed", item }] : [];
    },
  });
}
