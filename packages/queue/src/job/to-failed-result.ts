import type { TaskResult } from "@unroll/batch";
import { noTokenUsage } from "@unroll/protocol";

/** The result of a task that ended without one of its own: its worker or the queue failed it. */
export function toFailedResult(
  { id, threadId }: { readonly id: string; readonly threadId: string | null },
  error: { readonly code: string; readonly message: string },
): TaskResult {
  return {
    id,
    thread_id: threadId,
    status: "failed",
    final_message: null,
    value: null,
    usage: noTokenUsage,
    cost: null,
    uncached_cost: null,
    duration_ms: 0,
    worktree: null,
    branch: null,
    diff: null,
    error,
  };
}
