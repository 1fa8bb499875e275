import { untilAborted } from "@unroll/flow";
import type { ThreadEvent, ToolCallItem, TurnError } from "@unroll/protocol";
import { describeThrown } from "@unroll/text";
import type { ThreadState } from "../state/thread-state.ts";
import type { ToolRuntime } from "../port/tool-runtime.ts";

type Settled = { readonly type: "settled" | "aborted" } | { readonly type: "failed"; readonly error: TurnError };

/** Waits until the thread is written down as it is now; no longer than the turn is wanted. */
export async function settleState(state: ThreadState, signal: AbortSignal): Promise<Settled> {
  try {
    const isSettled = await untilAborted(
      state.settle().then(() => true),
      signal,
    );
    return { type: isSettled === null ? "aborted" : "settled" };
  } catch (error) {
    const cause = describeThrown(error);
    const message = `The thread cannot be saved: ${cause}`;
    return { type: "failed", error: { code: "journal_failed", message } };
  }
}

/** Calls of an answer that is not kept: they are seen, and say why they do not run. `reason`: a sentence. */
export async function* showUnrunCalls(
  calls: readonly ToolCallItem[],
  reason: string,
  { tools, state }: { readonly tools: ToolRuntime; readonly state: ThreadState },
): AsyncGenerator<ThreadEvent, void> {
  if (calls.length === 0) return;
  yield* tools.run(calls, { signal: AbortSignal.abort(reason), nextItemId: () => state.nextItemId() });
}
