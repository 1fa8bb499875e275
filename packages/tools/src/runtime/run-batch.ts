import { type Clock, createEventQueue } from "@unroll/flow";
import type { ThreadEvent, ToolCallItem } from "@unroll/protocol";
import type { PreparedCall, ToolResult } from "../tool/tool.ts";
import { runCall } from "./run-call.ts";

/** A call that is about to run. */
export interface PendingCall {
  readonly call: ToolCallItem;
  readonly prepared: PreparedCall;
}
export interface FinishedCall {
  readonly call: ToolCallItem;
  readonly result: ToolResult;
}
export interface BatchOptions {
  readonly signal: AbortSignal;
  readonly nextItemId: () => string;
  readonly maxOutputBytes: number;
  readonly clock: Clock;
}

/** How many events may wait for the consumer before tools do. */
const EVENT_CAPACITY = 64;

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
  options: BatchOptions,
): AsyncGenerator<ThreadEvent, readonly FinishedCall[]> {
  const { nextItemId, maxOutputBytes, clock } = options;
  const queue = createEventQueue<ThreadEvent>(EVENT_CAPACITY);
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  const running = Promise.all(
    calls.map(async ({ call, prepared }) => {
      const context = { callId: call.call_id, signal, maxOutputBytes, nextItemId, emit: queue.push };
      return { call, result: await runCall({ name: call.name, prepared }, context, clock) };
    }),
  ).finally(queue.close);
  try {
    yield* queue.events();
    return await running;
  } finally {
    left.abort();
    await running;
  }
}
