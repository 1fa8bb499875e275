import type { ThreadEvent, ToolCallItem } from "@unroll/protocol";
import type { ToolRuntime } from "../port/tool-runtime.ts";
import type { ThreadState } from "../state/thread-state.ts";

/** Calls of an answer that is not kept: they are seen, and say why they do not run. `reason`: a sentence. */
export async function* showUnrunCalls(
  calls: readonly ToolCallItem[],
  reason: string,
  { tools, state }: { readonly tools: ToolRuntime; readonly state: ThreadState },
): AsyncGenerator<ThreadEvent, void> {
  if (calls.length === 0) return;
  yield* tools.run(calls, { signal: AbortSignal.abort(reason), nextItemId: () => state.nextItemId() });
}
