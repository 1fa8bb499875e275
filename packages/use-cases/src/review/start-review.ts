import type { ResolvedConfig } from "@unroll/config";
import type { ThreadChange } from "@unroll/harness";
import type { JsonSchema } from "@unroll/protocol";
import { type PreparedReview, toReviewSettings } from "./prepare-review.ts";

/** An open thread, as a front end holds it. */
export interface ReviewedThread<Turn> {
  readonly config: ResolvedConfig;
  change(change: ThreadChange): Promise<void>;
  run(input: string, options: ReviewTurnOptions): Promise<Turn>;
}

interface ReviewTurnOptions {
  readonly change: ThreadChange;
  readonly outputSchema: JsonSchema;
  readonly schemaRepairs: null;
}

/** Starts a review as a turn of an open thread; when it ends, the thread gets its settings back. Throws as `run`. */
export async function startReview<Turn extends { readonly ended: Promise<unknown> }>(
  thread: ReviewedThread<Turn>,
  { input, outputSchema, schemaRepairs }: PreparedReview,
): Promise<Turn> {
  const { sandboxSettings, permissionProfile, approvalPolicy, approvalQuestions } = thread.config;
  const before = { sandboxSettings, permissionProfile, approvalPolicy, approvalQuestions };
  const turn = await thread.run(input, { change: toReviewSettings(thread.config), outputSchema, schemaRepairs });
  const ended = restoreAfter(turn.ended, () => thread.change(before));
  ended.catch(() => {}); // nobody has to wait for it
  return { ...turn, ended };
}

async function restoreAfter<Outcome>(ended: Promise<Outcome>, restore: () => Promise<void>): Promise<Outcome> {
  try {
    return await ended;
  } finally {
    await restore().catch(() => {}); // a thread that was closed meanwhile has no settings to get back
  }
}
