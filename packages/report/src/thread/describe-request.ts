import type { RequestRow } from "@unroll/accounting";
import { describeMiss } from "../text/describe-account.ts";
import { formatCost, formatCount } from "../text/format.ts";

/** A request in one line: what it added to what was sent before, what it used and cost. */
export function describeRequest(row: RequestRow): string {
  const { request, addedBytes, inputTokens, cachedTokens, outputTokens, cost } = row;
  const used = `${formatCount(inputTokens)} tokens in, ${formatCount(cachedTokens)} of them cached, ${formatCount(outputTokens)} out`;
  const price = cost === null ? "cost unknown" : formatCost(cost.withCache);
  const miss = describeMiss(row);
  const why = miss === "" ? "" : `; ${miss}`;
  return `request ${request}: ${formatCount(addedBytes)} bytes new, ${used}, ${price}${why}`;
}
