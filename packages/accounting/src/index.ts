export { accountThread } from "./account-thread.ts";
export { createUsageSum } from "./create-usage-sum.ts";
export {
  estimateCost,
  estimateHighestCost,
  estimateLowestCost,
  estimateRequestCost,
  estimateTotalCost,
} from "./estimate-cost.ts";
export { explainHeadBreak } from "./explain-head-break.ts";
export { explainMiss } from "./explain-miss.ts";
export { readHeadTexts, readAskedModel } from "./parse-head.ts";

export type { PriceOf, RequestRow, ThreadAccount } from "./account-thread.ts";
export type { RequestOpening } from "./explain-head-break.ts";
export type { AskedModel, HeadTexts } from "./parse-head.ts";
