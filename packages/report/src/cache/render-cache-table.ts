import type { RequestRow, ThreadAccount } from "@unroll/accounting";
import { describeAccount, describeMiss } from "../text/describe-account.ts";
import { formatCost, formatCount, formatTime } from "../text/format.ts";
import { renderTable, type TableColumn } from "../text/render-table.ts";

/** A column that the page of a thread shows, too. */
interface Column extends TableColumn<RequestRow> {
  readonly title: string;
}

const request: Column = { title: "request", align: "right", value: ({ request: number }) => formatCount(number) };
const turn: Column = { title: "turn", align: "right", value: (row) => formatCount(row.turn) };
const time: Column = { title: "time (UTC)", value: ({ sentAt }) => formatTime(sentAt) };
const input: Column = { title: "input", align: "right", value: ({ inputTokens }) => formatCount(inputTokens) };
const shared: Column = { title: "shared", align: "right", value: ({ sharedTokens }) => formatCount(sharedTokens) };
const cached: Column = { title: "cached", align: "right", value: ({ cachedTokens }) => formatCount(cachedTokens) };
const uncached: Column = {
  title: "uncached",
  align: "right",
  value: ({ uncachedTokens }) => formatCount(uncachedTokens),
};
const written: Column = { title: "written", align: "right", value: ({ writtenTokens }) => formatCount(writtenTokens) };
const output: Column = { title: "output", align: "right", value: ({ outputTokens }) => formatCount(outputTokens) };
const cost: Column = { title: "cost", align: "right", value: (row) => formatCost(row.cost?.withCache ?? null) };
const uncachedCost: Column = {
  title: "without cache",
  align: "right",
  value: (row) => formatCost(row.cost?.withoutCache ?? null),
};
const miss: Column = { title: "why it missed the cache", value: describeMiss };

export const columns: readonly Column[] = [
  request,
  turn,
  time,
  input,
  shared,
  cached,
  uncached,
  written,
  output,
  cost,
  uncachedCost,
  miss,
];

const layouts: readonly (readonly Column[])[] = [
  columns,
  [request, turn, input, cached, uncached, output, cost, miss],
  [request, input, cached, output, cost, miss],
];

/** A thread as a table of its requests, with the sums below it, in lines. `width`: of the terminal, which shows fewer columns if it is narrow; null: no terminal. */
export function renderCacheTable(account: ThreadAccount, width: number | null): readonly string[] {
  const summary = describeAccount(account);
  if (account.rows.length === 0) return summary;
  const { lines, isFull } = renderTable(account.rows, { layouts, width });
  return [...lines, "", ...summary, ...(isFull ? [] : ["A wider terminal shows more columns, --json shows all."])];
}
