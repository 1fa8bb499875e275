import type { TurnItem } from "../../script/turn.ts";
import type { PlanStep } from "../demo-tools.ts";
import type { Scene } from "../scene.ts";

/** Writes a plan of the kind that fits everything, and says so. */
export function makePlan({ exchanges, tools }: Scene, subject: string): readonly TurnItem[] {
  const steps = [
    `Read what is there about: ${subject}`,
    "Write down how one will see that it is done",
    "Make the smallest change that gets there",
    "Check it, and tell what changed",
  ];
  const list = steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
  const isPlanned = exchanges.some(({ tool }) => tool === "update_plan");
  if (tools.plan && !isPlanned) return [tools.plan(steps.map(toPlanStep))];
  return [{ text: `A plan for ${subject}:\n\n${list}\n\nI am the demo model, so it is the same plan for everything.` }];
}

function toPlanStep(step: string, index: number): PlanStep {
  return { step, status: index === 0 ? "in_progress" : "pending" };
}
