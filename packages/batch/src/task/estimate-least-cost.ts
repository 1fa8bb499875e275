import { estimateHighestCost, estimateLowestCost } from "@unroll/accounting";
import { drain } from "@unroll/flow";
import type { Harness, ThreadOptions } from "@unroll/harness";
import { type Journal, type ModelPrice, noTokenUsage } from "@unroll/protocol";
import { bytesPerToken } from "@unroll/text";
import type { BatchTask } from "./batch-task.ts";

/** A batch that has not begun. */
export interface PlannedBatch {
  readonly tasks: readonly BatchTask[];
  /** The options of their threads. */
  readonly options: ThreadOptions;
  readonly price: ModelPrice;
}

/**
 * The least that a batch can cost, in US dollars: one request a task, whose beginning only the first
 * one pays in full. It opens a thread that sends nothing, to measure how its requests begin.
 */
export async function estimateLeastCost(
  harness: Pick<Harness, "openThread">,
  { tasks, options, price }: PlannedBatch,
): Promise<number> {
  if (tasks.length === 0) return 0;
  const bytes = await measureRequest(harness, options);
  const input = Math.floor(bytes / bytesPerToken);
  const prompts = tasks.reduce((sum, { prompt }) => sum + Buffer.byteLength(prompt), 0) / bytesPerToken;
  const first = estimateHighestCost({ ...noTokenUsage, input_tokens: input }, null, price);
  return first + estimateLowestCost(input * (tasks.length - 1) + prompts, price);
}

/** The bytes of a first request, without its prompt. */
async function measureRequest(harness: Pick<Harness, "openThread">, options: ThreadOptions): Promise<number> {
  let [head, input] = [0, 0];
  const journal: Journal = {
    record(entry) {
      if (entry.type === "thread.opened") head = entry.head?.bytes.length ?? 0;
    },
    settled: () => Promise.resolve(),
  };
  const measure: NonNullable<ThreadOptions["guards"]>[number] = {
    // oxlint-disable-next-line require-yield -- it has nothing to tell
    async *before({ bytes }) {
      input = bytes;
      return { type: "stop", error: { code: "interrupted", message: "Nothing is sent." } };
    },
  };
  await using thread = await harness.openThread({ ...options, ephemeral: true, journal, guards: [measure] });
  await drain(thread.run("x", {}));
  return head + input;
}
