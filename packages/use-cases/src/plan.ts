export { findPlanFile, readPlan, savePlan, toApproval, writePlan } from "./plan/plan-file.ts";
export { createPlanGate } from "./plan/plan-gate.ts";
export { planInstructions } from "./plan/plan-instructions.ts";
