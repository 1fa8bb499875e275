export { accountThread } from "./account-thread.ts";
export { accountTree } from "./account-tree.ts";
export { createUsageSum } from "./create-usage-sum.ts";
export {
  estimateCost,
  estimateHighestCost,
  estimateLowestCost,
  estimateRequestCost,
  estimateTotalCost,
} from "./estimate-cost.ts";
export { explainMiss } from "./explain-miss.ts";
export { findServiceTier } from "./find-service-tier.ts";
export { measureRequest } from "./measure-request.ts";

export type { PriceOf, RequestRow, ThreadAccount } from "./account-thread.ts";
export type { AgentAccount, SavedAgent, TreeAccount } from "./account-tree.ts";
export type { RequestHeadFacts } from "./explain-head-break.ts";
export type { ResentPart, PreviousRequest } from "./measure-request.ts";
