import type { ThreadEvent } from "@unroll/protocol";
import { createEventQueue } from "@unroll/flow";
import { type CallOptions, type FinishedCall, type PendingCall, runCall } from "./run-call.ts";

/** How many events may wait for the consumer before tools do. */
const eventCapacity = 64;

/** Calls that may run side by side: neighbours that are all `shared`, or one that is `exclusive`. */
export function toBatches(calls: readonly PendingCall[]): readonly (readonly PendingCall[])[] {
  const batches: PendingCall[][] = [];
  let wasShared = false;
  for (const call of calls) {
    const isShared = call.prepared.type === "call.rejected" || call.prepared.concurrency === "shared";
    const batch = isShared && wasShared ? batches.at(-1) : undefined;
    if (batch) batch.push(call);
    else batches.push([call]);
    wasShared = isShared;
  }
  return batches;
}

/** Runs the calls at once; yields what they tell, as they tell it. Leaving early aborts them and waits for their end. */
export async function* runBatch(
  calls: readonly PendingCall[],
  options: Omit<CallOptions, "emit">,
): AsyncGenerator<ThreadEvent, readonly FinishedCall[]> {
  const queue = createEventQueue<ThreadEvent>(eventCapacity);
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  const running = Promise.all(calls.map((call) => runCall(call, { ...options, signal, emit: queue.push }))).finally(
    queue.close,
  );
  let isOver = false;
  try {
    yield* queue.events(); // closed when all of them are over
    isOver = true;
    return await running;
  } finally {
    if (!isOver) left.abort();
    await running;
  }
}
