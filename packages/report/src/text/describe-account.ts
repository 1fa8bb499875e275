import type { RequestRow, ThreadAccount } from "@unroll/accounting";
import { formatCost, formatCount, formatShare } from "./format.ts";
import { countNouns } from "@unroll/text";

/** A thread's usage and cost, one line each. */
export function describeAccount(account: ThreadAccount): readonly string[] {
  const { rows, turns, rewoundTurns } = account;
  if (rows.length === 0 && turns === 0) return ["No request was sent yet."];
  const made = rows.length === 0 ? "no answered requests on record" : countNouns(rows.length, "request");
  const [used, price] = describeUsed(account);
  return [
    `${made} in ${countNouns(turns, "turn")}${rewoundTurns === 0 ? "" : `, ${formatCount(rewoundTurns)} of them rewound`}: ${used}`,
    price,
  ];
}

type Used = Pick<ThreadAccount, "usage" | "cost" | "unpricedRequests"> &
  Partial<Pick<ThreadAccount, "hasOtherRequests">>;

/** The tokens, and the cost. */
export function describeUsed({ usage, cost, unpricedRequests, hasOtherRequests = false }: Used): [string, string] {
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = usage;
  const share = input === 0 ? "" : ` (${formatShare(cached, input)})`;
  const tokens = `${formatCount(input)} tokens in, ${formatCount(cached)} of them cached${share}, ${formatCount(output)} out`;
  const but = unpricedRequests === 0 ? "" : `; excludes ${countNouns(unpricedRequests, "request")} of unknown cost`;
  const others = hasOtherRequests ? "; excludes requests of another program" : "";
  return [
    tokens,
    cost === null
      ? "cost: unknown (no public price for this model, or no counts from the server)"
      : `cost: ${formatCost(cost.withCache)}, without the cache ${formatCost(cost.withoutCache)} (list prices${but}${others})`,
  ];
}

/** A request's remarks in one line: whether it asked for a summary, and why it missed the cache. Often empty. */
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
