import { accountThread, estimateTotalCost, type PriceOf } from "@unroll/accounting";
import type { CollectedThread, ThreadQuery, ThreadStore, ThreadSummary, ThreadUpkeep } from "@unroll/protocol";

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
