import { checkShape } from "@unroll/text";
import type { ThreadEvent, ThreadNotes, ThreadPlan, TodoListThreadItem } from "@unroll/protocol";
import * as z from "zod";
import { definePlannedTool } from "../tool/define-planned-tool.ts";
import { planToolCall } from "../tool/plan-tool-call.ts";
import type { CallableTool, ToolContext } from "../tool/tool.ts";

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

const input = z.strictObject({
  explanation: z.string().describe("Why the plan changed, when it did.").optional(),
  plan: planSchema,
});

/** The plan that the user sees: one `todo_list` item a turn, from the first plan in it to its end. */
export function createUpdatePlanTool(notes: ThreadNotes): CallableTool {
  checkShape("createUpdatePlanTool", notes, { get: "a function", set: "a function" });
  return definePlannedTool({
    name: "update_plan",
    description:
      "Shows the user the steps of your plan and how far each is. Each call replaces the whole plan. For work of several steps: call it when you begin and whenever a step is finished or the plan changes. Not for simple tasks.",
    input,
    concurrency: "exclusive",
    plan: async (input) => ({
      ...planToolCall({
        tool: "update_plan",
        arguments: input,
        async run(context) {
          await showPlan(notes, input.plan, context);
          return "Plan updated";
        },
      }),
      item: null,
    }),
    endTurn(): readonly ThreadEvent[] {
      const plan = notes.get("plan");
      if (plan === null || plan.itemId === null) return [];
      notes.set("plan", { ...plan, itemId: null });
      return [{ type: "item.completed", item: toItem(plan.itemId, plan.steps) }];
    },
  });
}

async function showPlan(notes: ThreadNotes, plan: z.output<typeof planSchema>, context: ToolContext): Promise<void> {
  const shownAs = notes.get("plan")?.itemId ?? null;
  const steps = plan.map(({ step, status }) => ({ text: step, completed: status === "completed" }));
  const itemId = shownAs ?? context.itemId;
  notes.set("plan", { itemId, steps });
  await context.emit({ type: shownAs === null ? "item.started" : "item.updated", item: toItem(itemId, steps) });
}

function toItem(id: string, items: ThreadPlan["steps"]): TodoListThreadItem {
  return { id, type: "todo_list", items };
}
