import type { ThreadEvent } from "@unroll/protocol";
import { createEventQueue } from "@unroll/flow";
import { type CallOptions, type FinishedCall, type PendingCall, runCall } from "./run-call.ts";

/** How many events may wait for the consumer before tools do. */
const eventCapacity = 64;

/**
 * The abort reason of a finished batch. Creating an error each time would take longer than
 * everything else here.
 */
const hasEnded = "The calls of this response have ended.";

/** Calls that may run side by side: neighbours that are all `shared`, or one that is `exclusive`. A call alone is not asked. */
export async function toBatches(calls: readonly PendingCall[]): Promise<readonly (readonly PendingCall[])[]> {
  if (calls.length < 2) return calls.map((call) => [call]);
  const batches: PendingCall[][] = [];
  let wasShared = false;
  for (const { call, isShared } of await Promise.all(calls.map(askCall))) {
    const batch = isShared && wasShared ? batches.at(-1) : undefined;
    if (batch) batch.push(call);
    else batches.push([call]);
    wasShared = isShared;
  }
  return batches;
}

interface AskedCall {
  readonly call: PendingCall;
  readonly isShared: boolean;
}

/** One whose tool fails to say it becomes a call that fails. */
async function askCall(call: PendingCall): Promise<AskedCall> {
  const { prepared } = call;
  if (prepared.type === "call.rejected") return { call, isShared: true };
  const { concurrency } = prepared;
  try {
    return { call, isShared: (typeof concurrency === "function" ? await concurrency() : concurrency) === "shared" };
  } catch (error) {
    return { call: { ...call, prepared: { ...prepared, plan: () => Promise.reject(error) } }, isShared: false };
  }
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
    left.abort(isOver ? hasEnded : undefined);
    await running;
  }
}
