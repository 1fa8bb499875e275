import type { RequestRow, ThreadAccount } from "@unroll/accounting";

/** The objects that `--json` prints for a thread: one per request, then the total. Names are the wire's. */
export function listCacheFacts(threadId: string, account: ThreadAccount): readonly object[] {
  const { rows, turns, usage, cost, unpricedRequests } = account;
  const total = {
    type: "thread",
    thread_id: threadId,
    requests: rows.length,
    turns,
    usage,
    cost_usd: toUsd(cost?.withCache),
    cost_without_cache_usd: toUsd(cost?.withoutCache),
    unpriced_requests: unpricedRequests,
  };
  return [...rows.map(toFacts), total];
}

function toFacts(row: RequestRow): object {
  return {
    type: "request",
    request: row.request,
    turn: row.turn,
    sent_at: row.sentAt === null ? null : new Date(row.sentAt).toISOString(),
    model: row.model,
    input_tokens: row.inputTokens,
    shared_tokens: row.sharedTokens,
    cached_tokens: row.cachedTokens,
    uncached_tokens: row.uncachedTokens,
    cache_write_tokens: row.writtenTokens,
    output_tokens: row.outputTokens,
    added_bytes: row.addedBytes,
    is_beside: row.isBeside,
    miss: row.miss,
    cost_usd: toUsd(row.cost?.withCache),
    cost_without_cache_usd: toUsd(row.cost?.withoutCache),
  };
}

/** Without what adding up leaves behind the ninth digit. */
function toUsd(cost: number | undefined): number | null {
  return cost === undefined ? null : Number(cost.toFixed(9));
}
