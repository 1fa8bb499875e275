import {
  addTokenUsage,
  type AgentProgress,
  type CompletedRequest,
  findLastOutcome,
  type JournalEntry,
} from "@unroll/protocol";
import { accountThread, addCost, type PriceOf, type ThreadAccount } from "./account-thread.ts";
import { countSharedBytes, explainHeadBreak, type RequestHeadFacts } from "./explain-head-break.ts";
import { toTokens } from "./measure-request.ts";

/** The saved thread of a sub-agent. */
export interface SavedAgent {
  readonly threadId: string;
  /** With those above it: `worker / explorer 2`. */
  readonly name: string;
  /** Null: it cannot be read. */
  readonly entries: readonly JournalEntry[] | null;
}

/** The usage of a sub-agent, and the part of its first request that other threads of its tree share. */
export interface AgentAccount extends Pick<SavedAgent, "threadId" | "name"> {
  /** Null: its thread cannot be read. */
  readonly state: AgentProgress["state"] | null;
  /** Null: the same. */
  readonly account: CountedAccount | null;
  /** The input of its first request; null: it is not known. */
  readonly startTokens: number | null;
  /** Estimated: how much of that the first request of its parent or of an earlier sub-agent begins with, too. */
  readonly startSharedTokens: number;
  /** How much of it the server had cached; null: it did not say. Nothing of its own was there before. */
  readonly startCachedTokens: number | null;
}

/** Without its requests. */
interface CountedAccount extends Pick<ThreadAccount, "usage" | "cost" | "unpricedRequests"> {
  readonly requests: number;
}

/** A thread with all its sub-agents. */
export interface TreeAccount {
  readonly agents: readonly AgentAccount[];
  /** The sum of the thread and of its sub-agents. */
  readonly total: CountedAccount;
}

/** How a thread began. */
interface ThreadStart extends RequestHeadFacts {
  readonly items: readonly Uint8Array[];
  readonly request: CompletedRequest;
}

interface TreeOptions {
  readonly priceOf: PriceOf;
  /** The ids of threads that a process has open: a turn of theirs without an end runs. */
  readonly open: ReadonlySet<string>;
}

/** Adds up a thread and its sub-agents, one after the other: only one of their journals is needed at a time. */
export async function accountTree(
  { entries: first, account: own }: { readonly entries: readonly JournalEntry[]; readonly account: ThreadAccount },
  agents: AsyncIterable<SavedAgent>,
  { priceOf, open }: TreeOptions,
): Promise<TreeAccount> {
  const starts = [findStart(first)];
  const accounts: AgentAccount[] = [];
  let total = toCounted(own);
  for await (const { threadId, name, entries } of agents) {
    const account = entries === null ? null : toCounted(accountThread(entries, priceOf));
    const start = findStart(entries ?? []);
    const shared = start === null ? 0 : Math.max(0, ...starts.map((before) => countShared(before, start)));
    starts.push(start);
    accounts.push({
      threadId,
      name,
      state: entries && findState(entries, open.has(threadId)),
      account,
      startTokens: start?.request.usage?.input_tokens ?? null,
      startSharedTokens: start === null ? 0 : toTokens(shared, start.request),
      startCachedTokens: start?.request.cache.cached_tokens ?? null,
    });
    if (account !== null) total = addCounted(total, account);
  }
  return { agents: accounts, total };
}

/** As of `AgentProgress`. */
function findState(entries: readonly JournalEntry[], isOpen: boolean): AgentProgress["state"] {
  const outcome = findLastOutcome(entries);
  if (outcome === null) return isOpen ? "running" : "stopped";
  return outcome.type === "interrupted" ? "stopped" : outcome.type;
}

function toCounted({ rows, usage, cost, unpricedRequests }: ThreadAccount): CountedAccount {
  return { requests: rows.length, usage, cost, unpricedRequests };
}

function addCounted(a: CountedAccount, b: CountedAccount): CountedAccount {
  return {
    requests: a.requests + b.requests,
    usage: addTokenUsage(a.usage, b.usage),
    cost: a.cost === null || b.cost === null ? (a.cost ?? b.cost) : addCost(a.cost, b.cost),
    unpricedRequests: a.unpricedRequests + b.unpricedRequests,
  };
}

/** Null: no request of the thread was answered, or its beginning is not known. */
function findStart(entries: readonly JournalEntry[]): ThreadStart | null {
  const opened = entries.find((entry) => entry.type === "thread.opened");
  const answered = entries.find((entry) => entry.type === "request");
  if (opened?.type !== "thread.opened" || opened.head === null || answered?.type !== "request") return null;
  const { head, model, provider } = opened;
  const { request } = answered;
  const items: Uint8Array[] = [];
  let rest = request.cache.prefix_bytes - head.bytes.length;
  for (const entry of entries) {
    if (rest <= 0) break;
    if (entry.type !== "item") continue;
    items.push(entry.item.bytes);
    rest -= entry.item.bytes.length;
  }
  return { head, model, provider, items, request };
}

/** How many bytes both begin with. */
function countShared(before: ThreadStart | null, start: ThreadStart): number {
  if (before === null) return 0;
  const { sharedBytes, broken } = explainHeadBreak(before, start);
  if (broken !== null) return sharedBytes;
  let count = sharedBytes;
  for (const [index, item] of start.items.entries()) {
    const shared = countSharedBytes(before.items[index] ?? noBytes, item);
    count += shared;
    if (shared < item.length) break;
  }
  return count;
}

const noBytes = new Uint8Array();
