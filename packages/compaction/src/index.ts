export { countLeastTokens } from "./estimate/weigh-item.ts";
export { createContextMeter } from "./estimate/context-meter.ts";
export { readImageSize } from "./estimate/image-size.ts";
export { toSeenSize } from "./estimate/image-tokens.ts";
export { createTokenEstimator } from "./estimate/token-estimator.ts";
export { toCompactedItems } from "./plan/compaction-plan.ts";
export { fitMaterial } from "./plan/fit-material.ts";
export { estimateRequest, isBelowLimit, isWorthwhile, planCompaction } from "./plan/plan-compaction.ts";
export { readServerItems } from "./summary/summary-item.ts";
export {
  askForNotesAgain,
  createSummaryRequest,
  cutNotes,
  readNotes,
  summaryInstructions,
} from "./summary/summary-request.ts";

export type { ContextMeter, MeasuredContext } from "./estimate/context-meter.ts";
export type { CompactionPlan, RetainedParts, Summary } from "./plan/compaction-plan.ts";
export type { CompactionSizes } from "./plan/plan-compaction.ts";
export type { CompactionInput } from "./plan/select-kept.ts";
export type { SummaryWish } from "./summary/summary-request.ts";
