import type { AgentAccount, TreeAccount } from "@unroll/accounting";
import { countEach, countNouns, shortenText } from "@unroll/text";
import { describeUsed } from "../text/describe-account.ts";
import { formatCost, formatCount } from "../text/format.ts";
import { renderTable, type TableColumn } from "../text/render-table.ts";

/** A column that the page shows, too. */
interface Column extends TableColumn<AgentAccount> {
  readonly title: string;
}

const longestName = 60;

const name: Column = { title: "sub-agent", value: (row) => shortenText(row.name.replaceAll(/\s+/g, " "), longestName) };
const thread: Column = { title: "thread", value: ({ threadId }) => threadId };
const state: Column = { title: "state", value: (row) => row.state ?? "unknown" };
const requests: Column = {
  title: "requests",
  align: "right",
  value: ({ account }) => formatCount(account?.requests ?? null),
};
const input: Column = {
  title: "input",
  align: "right",
  value: ({ account }) => formatCount(account?.usage.input_tokens ?? null),
};
const cached: Column = {
  title: "cached",
  align: "right",
  value: ({ account }) => formatCount(account?.usage.cached_input_tokens ?? null),
};
const output: Column = {
  title: "output",
  align: "right",
  value: ({ account }) => formatCount(account?.usage.output_tokens ?? null),
};
const start: Column = { title: "first input", align: "right", value: (row) => formatCount(row.startTokens) };
const startShared: Column = {
  title: "its shared",
  align: "right",
  value: (row) => formatCount(row.startSharedTokens),
};
const startCached: Column = { title: "its cached", align: "right", value: (row) => formatCount(row.startCachedTokens) };
const cost: Column = {
  title: "cost",
  align: "right",
  value: ({ account }) => formatCost(account?.cost?.withCache ?? null),
};
const uncachedCost: Column = {
  title: "without cache",
  align: "right",
  value: ({ account }) => formatCost(account?.cost?.withoutCache ?? null),
};

export const agentColumns: readonly Column[] = [
  name,
  thread,
  state,
  requests,
  input,
  cached,
  output,
  start,
  startShared,
  startCached,
  cost,
  uncachedCost,
];

const layouts: readonly (readonly Column[])[] = [
  agentColumns,
  [name, state, requests, input, cached, output, start, startShared, startCached, cost],
  [name, state, requests, input, cached, cost],
];

/** Without the columns about the cache. */
const usageLayouts: readonly (readonly Column[])[] = [
  [name, thread, state, requests, input, cached, output, cost],
  [name, state, requests, input, cached, cost],
];

/** More rows than anybody reads. */
const mostRows = 200;

/** The rows that are shown; the others are only in the sums. */
export function cutAgents(agents: readonly AgentAccount[]): {
  readonly shown: readonly AgentAccount[];
  readonly more: string | null;
} {
  const left = agents.length - mostRows;
  return { shown: agents.slice(0, mostRows), more: left <= 0 ? null : `and ${countNouns(left, "sub-agent")} more` };
}

interface AgentsTableOptions {
  /** As of `renderCacheTable`. */
  readonly width: number | null;
  /** Whether to show how their first requests used the cache. */
  readonly hasCache: boolean;
}

/** The sub-agents of a thread as a table, with the sums of the tree below it, in lines; empty: it has none. */
export function renderAgentsTable(tree: TreeAccount, { width, hasCache }: AgentsTableOptions): readonly string[] {
  if (tree.agents.length === 0) return [];
  const { shown, more } = cutAgents(tree.agents);
  const { lines, isFull } = renderTable(shown, { layouts: hasCache ? layouts : usageLayouts, width });
  const hint = hasCache
    ? "A wider terminal shows more columns, --json shows all."
    : "A wider terminal shows more columns.";
  return [...lines, ...(more === null ? [] : [more]), "", ...describeTree(tree), ...(isFull ? [] : [hint])];
}

/** The sums of a thread with its sub-agents, one line each. */
export function describeTree({ agents, total }: TreeAccount): readonly string[] {
  const [used, price] = describeUsed(total);
  const states = countEach(agents.map((agent) => agent.state ?? "unknown"));
  return [`with sub-agents (${states}): ${countNouns(total.requests, "request")}, ${used}`, price];
}
