import type { ClientParams } from "@unroll/app-server-protocol";
import { resolve } from "node:path";
import type { ThreadChange } from "@unroll/harness";
import { readWireInput } from "../map/to-wire-input.ts";
import { toWireTurn } from "../map/to-wire-turn.ts";
import { toApprovalPolicy, withWireSandbox } from "../map/to-wire-policy.ts";
import type { ServedThread } from "@unroll/front-end";
import { RequestFault } from "@unroll/line-server";
import { defineMethod, type Method } from "./method.ts";

export const startTurn: Method = defineMethod("turn/start", async (params, { threads }) => {
  const { thread, follower } = threads.find(params.threadId);
  const change = toChange(params, thread);
  const input = await readWireInput(params.input, change.cwd ?? thread.config.cwd);
  const { id, release } = await thread.startTurn(input, { change, outputSchema: params.outputSchema ?? null });
  follower.expect(id, params.input);
  return { result: { turn: toWireTurn(id, { status: "inProgress" }) }, after: release };
});

/** What really differs; the rest stays as it is, and the model is told nothing. */
function toChange(params: ClientParams<"turn/start">, { config }: ServedThread): ThreadChange {
  const { model, effort, summary, sandboxPolicy } = params;
  if (model && model !== config.model) {
    const message = `model: this thread runs with ${config.model}. Its history is made for that: thread/resume or thread/fork with another model.`;
    throw new RequestFault("invalidParams", message);
  }
  const cwd = params.cwd ? resolve(config.cwd, params.cwd) : config.cwd;
  const policy = toApprovalPolicy(params.approvalPolicy) ?? config.approvalPolicy;
  const sandbox = sandboxPolicy ? withWireSandbox(config.sandboxSettings, sandboxPolicy) : config.sandboxSettings;
  return {
    ...(cwd === config.cwd ? {} : { cwd }),
    ...(policy === config.approvalPolicy ? {} : { approvalPolicy: policy }),
    ...(JSON.stringify(sandbox) === JSON.stringify(config.sandboxSettings) ? {} : { sandboxSettings: sandbox }),
    ...(effort && effort !== config.reasoningEffort ? { reasoningEffort: effort } : {}),
    ...(summary && summary !== config.reasoningSummary ? { reasoningSummary: summary } : {}),
  };
}

export const steerTurn: Method = defineMethod(
  "turn/steer",
  async ({ threadId, expectedTurnId, input }, { threads }) => {
    const { thread } = threads.find(threadId);
    await thread.steer(expectedTurnId, await readWireInput(input, thread.config.cwd));
    return { result: { turnId: expectedTurnId } };
  },
);

export const interruptTurn: Method = defineMethod("turn/interrupt", async ({ threadId, turnId }, { threads }) => {
  threads.find(threadId).thread.interrupt(turnId);
  return { result: {} };
});
