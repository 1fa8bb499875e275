import { renderReviewTask, reviewSchema, type ReviewTarget } from "@unroll/program";
import type { BegunTurn, ServedThread } from "./thread/served-thread.ts";

/** A turn that looks at changes and writes nothing; behind it the thread has the settings that it had. Throws as `startTurn`. */
export async function startReview(thread: ServedThread, target: ReviewTarget): Promise<BegunTurn> {
  const { sandboxSettings, approvalPolicy, approvalQuestions } = thread.config;
  const before = { sandboxSettings, approvalPolicy, approvalQuestions };
  const change = { sandboxSettings: { ...sandboxSettings, mode: "read-only" }, approvalPolicy: "never" } as const;
  const turn = await thread.startTurn(renderReviewTask(target, ""), { change, outputSchema: reviewSchema });
  // whatever became of it; a thread that was closed has nothing to be set any more
  void turn.ended.finally(() => thread.change(before)).catch(() => {});
  return turn;
}
