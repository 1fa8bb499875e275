export { savePlan, readPlan, writePlan } from "./plan/plan-file.ts";
export { createPlanGate } from "./plan/plan-gate.ts";
export { planInstructions } from "./plan/plan-instructions.ts";
export { createPlanMode, toApproval } from "./plan/plan-mode.ts";

export type { PlanMode } from "./plan/plan-mode.ts";
