import { accountThread, estimateTotalCost, type PriceOf } from "@unroll/accounting";
import type {
  CollectedThread,
  OpenThread,
  ThreadQuery,
  ThreadStore,
  ThreadSummary,
  ThreadUpkeep,
} from "@unroll/protocol";

/** Which saved threads are listed. */
interface ThreadListQuery extends ThreadQuery {
  /** Absent: every thread. */
  readonly isWanted?: (thread: ThreadSummary) => boolean;
  /** How many of them are skipped first. Absent: none. */
  readonly skip?: number;
  /** How many are listed. Absent: all. */
  readonly limit?: number;
}

/** Lists saved threads, the latest first; reads no more of them than it lists. Returns whether there are more than `limit`. */
export async function* listThreads(
  store: Pick<ThreadStore, "list">,
  { isWanted = () => true, skip = 0, limit = Infinity, ...query }: ThreadListQuery,
): AsyncGenerator<ThreadSummary, boolean> {
  let seen = 0;
  for await (const summary of store.list(query)) {
    if (!isWanted(summary)) continue;
    seen += 1;
    if (seen > skip + limit) return true;
    if (seen > skip) yield summary;
  }
  return false;
}

/** A saved thread that users choose from. */
export interface ChoosableThread extends ThreadSummary {
  /** The process that has it open; null: none. */
  readonly openIn: OpenThread | null;
  /** The thread that it is a copy of; null: it is not a copy, or that thread is not among those that were read. */
  readonly origin: ThreadSummary | null;
  /** The threads that were read and are copies of it. */
  readonly copies: number;
}

/** Reads what users need to choose from saved threads, the latest used first. Threads of sub-agents are left out. It loads none of them. */
export async function readChoosableThreads(
  store: Pick<ThreadStore, "list"> & { readonly upkeep: Pick<ThreadUpkeep, "listOpen"> },
  query: ThreadQuery,
): Promise<readonly ChoosableThread[]> {
  const open = new Map((await store.upkeep.listOpen()).map((each) => [each.threadId, each]));
  const threads = new Map<string, ThreadSummary>();
  const copies = new Map<string, number>();
  for await (const thread of store.list(query)) {
    if (thread.source === "subAgent") continue;
    threads.set(thread.threadId, thread);
    const origin = thread.forkedFrom?.threadId ?? null;
    if (origin !== null) copies.set(origin, (copies.get(origin) ?? 0) + 1);
  }
  return [...threads.values()].map((thread) => ({
    ...thread,
    openIn: open.get(thread.threadId) ?? null,
    origin: threads.get(thread.forkedFrom?.threadId ?? "") ?? null,
    copies: copies.get(thread.threadId) ?? 0,
  }));
}

/** The name that a user gave a thread, or else the first message of its own; null: it has neither. */
export function nameThread({ name, forkedFrom, title }: ThreadSummary): string | null {
  return name ?? forkedFrom?.title ?? title;
}

/** The orders of a list: last used, newest or largest first, or by name. */
export const threadOrders = ["used", "created", "size", "name"] as const;

/** One of the orders of a list. */
export type ThreadOrder = (typeof threadOrders)[number];

/** Sorts threads. Equal ones keep their order, those without a name come last. */
export function sortThreads<Thread extends ThreadSummary>(
  threads: readonly Thread[],
  order: ThreadOrder,
): readonly Thread[] {
  switch (order) {
    case "used":
      return threads.toSorted((a, b) => b.usedAt - a.usedAt);
    case "created":
      return threads.toSorted((a, b) => b.createdAt - a.createdAt);
    case "size":
      return threads.toSorted((a, b) => (b.size ?? 0) - (a.size ?? 0));
    case "name": {
      const named = threads.map((thread) => ({ thread, name: nameThread(thread) }));
      return named.toSorted((a, b) => compareNames(a.name, b.name)).map(({ thread }) => thread);
    }
  }
}

const collator = new Intl.Collator("en", { numeric: true });

function compareNames(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return collator.compare(a, b);
}

/**
 * A thread's cost in USD, at the price of its last model. Where that price depends on the length of each request, the thread is
 * loaded and its requests are added up. Null: a price or a token count is not known, or the thread cannot be read.
 */
export async function estimateThreadCost(
  { threadId, model, provider, usage, longestInput = null }: ThreadSummary,
  { store, priceOf }: { readonly store: Pick<ThreadStore, "load">; readonly priceOf: PriceOf },
): Promise<number | null> {
  const price = model === null || provider === null ? null : priceOf({ model, provider, serviceTier: null });
  if (price === null || usage === null) return null;
  const total = estimateTotalCost({ usage, longestInput }, price);
  if (total !== null) return total.withCache;
  const stored = await store.load(threadId).catch(() => null);
  const account = stored === null ? null : accountThread(stored.entries, priceOf);
  return account === null || account.unpricedRequests > 0 ? null : (account.cost?.withCache ?? null);
}

/** Deletes threads that were collected, but no thread that somebody opened or used since. Returns how many it deleted. */
export async function removeCollected(
  upkeep: Pick<ThreadUpkeep, "removeUnused">,
  collected: readonly Pick<CollectedThread, "threadId" | "usedAt">[],
): Promise<number> {
  let count = 0;
  for (const { threadId, usedAt } of collected) {
    try {
      if (await upkeep.removeUnused(threadId, usedAt)) count += 1;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "thread_locked")) throw error;
    }
  }
  return count;
}
