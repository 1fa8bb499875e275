import type { ClientParams } from "@unroll/app-server-protocol";
import { toProgramPlaces } from "@unroll/program";
import { RequestFault } from "@unroll/thread-host/wire";
import type { ReviewTarget } from "@unroll/report";
import { prepareReview, startReview } from "@unroll/use-cases/review";
import { toWireTurn } from "../map/to-wire-turn.ts";
import type { MethodTable } from "./method.ts";
import { tellBegun } from "./tell-opened.ts";

export const reviewMethods: MethodTable<"review/start"> = {
  async "review/start"({ threadId, target: asked, delivery }, context) {
    const target = toTarget(asked);
    let live = context.threads.find(threadId);
    const prepared = await prepareReview(target, toProgramPlaces(live.config, context.io));
    if (prepared.type === "refused") throw new RequestFault("invalidParams", `target: ${prepared.message}`);
    if (delivery === "detached") {
      const { cwd, model } = live.config;
      const settings = { cwd, model, sandbox: "read-only", approvalPolicy: "never" } as const;
      const origin = { type: "new", isEphemeral: false } as const;
      const opened = await context.threads.open({ origin, asked: settings }, context.client);
      tellBegun(opened, [], context).after();
      live = opened.thread;
    }
    const { id, release } = await startReview(live, prepared);
    live.client.teller.expectReview(id, target);
    return { result: { turn: toWireTurn(id, { status: "inProgress" }), reviewThreadId: live.id }, after: release };
  },
};

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
