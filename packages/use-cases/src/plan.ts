export { findPlanFile, readPlan, savePlan, toApproval, writePlan } from "./plan/plan-file.ts";
export { createPlanGate } from "./plan/plan-gate.ts";
export { toPlanInput } from "./plan/plan-instructions.ts";
export { readPlanMode, savePlanMode } from "./plan/saved-plan-mode.ts";
