import type { Host, ResolvedConfig } from "@unroll/harness";
import { toProgramPlaces } from "@unroll/program";
import type { ThreadEvent, TurnOutcome } from "@unroll/protocol";
import type { ReviewTarget } from "@unroll/report";
import { prepareReview, type ReviewRefusal, toReviewSettings } from "./prepare-review.ts";

export interface ReviewOptions {
  readonly host: Host;
  /** The thread whose work is reviewed. */
  readonly config: ResolvedConfig;
  readonly signal: AbortSignal;
}

/** A review in a thread of its own, which is not kept. */
export interface OpenReview extends AsyncDisposable {
  readonly type: "open";
  /** Its turn; what the model found is the final message. Once. */
  run(signal: AbortSignal): AsyncGenerator<ThreadEvent, TurnOutcome>;
}

/** Throws what `openThread` throws. */
export async function openReview(
  target: ReviewTarget,
  { host, config, signal }: ReviewOptions,
): Promise<OpenReview | ReviewRefusal> {
  const prepared = await prepareReview(target, { ...toProgramPlaces(config, host), signal });
  if (prepared.type === "refused") return prepared;
  const { openThread } = await import("@unroll/harness");
  const thread = await openThread({
    host,
    config: { ...config, ...toReviewSettings(config) },
    userAgent: "unroll_review",
    ephemeral: true,
  });
  const { input, outputSchema, schemaRepairs } = prepared;
  return {
    type: "open",
    run: (stop) => thread.run(input, { signal: stop, outputSchema, schemaRepairs }),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
