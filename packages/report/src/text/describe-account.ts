import type { RequestRow, ThreadAccount } from "@unroll/accounting";
import { formatCost, formatCount, formatShare } from "./format.ts";

/** What a thread used and cost, a line each. */
export function describeAccount({ rows, turns, usage, cost, unpricedRequests }: ThreadAccount): readonly string[] {
  const made = rows.length === 0 ? "no answered request on record" : count(rows.length, "request");
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = usage;
  const share = input === 0 ? "" : ` (${formatShare(cached, input)})`;
  const tokens = `${formatCount(input)} tokens in, ${formatCount(cached)} of them cached${share}, ${formatCount(output)} out`;
  const but = unpricedRequests === 0 ? "" : `; without ${count(unpricedRequests, "request")} whose cost is unknown`;
  return [
    `${made} in ${count(turns, "turn")}: ${tokens}`,
    cost === null
      ? "cost: unknown, for want of a public price or of the server's counts"
      : `cost: ${formatCost(cost.withCache)}, without the cache ${formatCost(cost.withoutCache)} (list prices${but})`,
  ];
}

/** `3 turns`. */
function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** What is to be said of a request in one line: whether it was made to shorten the conversation, and why the cache did not hold. Often empty. */
export function describeMiss({ miss, isBeside }: Pick<RequestRow, "miss" | "isBeside">): string {
  const beside = isBeside ? "made for a summary" : "";
  return [beside, explain(miss)].filter((text) => text !== "").join(": ");
}

function explain(miss: RequestRow["miss"]): string {
  if (miss === null) return "";
  return "first_difference" in miss ? `${miss.cause} (first: ${describePlace(miss.first_difference)})` : miss.cause;
}

function describePlace({ index, type }: { readonly index: number | null; readonly type: string }): string {
  return index === null ? type : `item ${index}, ${type}`;
}
