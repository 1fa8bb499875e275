import type { ClientParams } from "@unroll/app-server-protocol";
import { renderReviewTask, reviewSchema, type ReviewTarget } from "@unroll/program";
import { toWireTurn } from "../map/to-wire-turn.ts";
import type { LiveThread } from "../thread/threads.ts";
import { defineMethod, type Method } from "./method.ts";
import { tellOpened } from "./thread-methods.ts";

/** A turn that looks at changes and writes nothing, in the thread or in a new one of its folder and model. */
export const startReview: Method = defineMethod("review/start", async (params, context) => {
  const live = context.threads.find(params.threadId);
  const target = toTarget(params.target);
  if (params.delivery !== "detached") return review(live, target);
  const { config } = live.thread;
  const asked = { cwd: config.cwd, model: config.model, sandbox: "read-only", approvalPolicy: "never" } as const;
  const opened = await context.threads.open({ origin: { type: "new", isEphemeral: false }, asked }, context.client);
  (await tellOpened(opened, null, context)).after();
  return review(opened.live, target);
});

async function review(
  { thread, follower }: LiveThread,
  target: ReviewTarget,
): Promise<{
  readonly result: { turn: ReturnType<typeof toWireTurn>; reviewThreadId: string };
  readonly after: () => void;
}> {
  const { sandboxSettings, approvalPolicy } = thread.config;
  const reading = { sandboxSettings: { ...sandboxSettings, mode: "read-only" }, approvalPolicy: "never" } as const;
  const options = { change: reading, outputSchema: reviewSchema };
  const { id, release, ended } = await thread.startTurn(renderReviewTask(target, ""), options);
  follower.expectReview(id, target);
  // as it was before, whatever became of the review; a thread that was closed has nothing to be set any more
  void ended.finally(() => thread.change({ sandboxSettings, approvalPolicy })).catch(() => {});
  return { result: { turn: toWireTurn(id, { status: "inProgress" }), reviewThreadId: thread.id }, after: release };
}

function toTarget(target: ClientParams<"review/start">["target"]): ReviewTarget {
  switch (target.type) {
    case "uncommittedChanges":
      return { type: "uncommitted" };
    case "baseBranch":
      return { type: "branch", branch: target.branch };
    case "commit":
      return { type: "commit", commit: target.sha };
    case "custom":
      return { type: "custom", text: target.instructions };
  }
}
