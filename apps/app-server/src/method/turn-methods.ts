import { resolve } from "node:path";
import type { ThreadChange } from "@unroll/harness";
import { readWireInput } from "../map/to-wire-input.ts";
import { toApprovalPolicy, withWireSandbox } from "../map/to-wire-policy.ts";
import type { Params } from "../schema/client-requests.ts";
import type { LiveThread } from "../thread/live-thread.ts";
import { RequestFault } from "../wire/request-fault.ts";
import { defineMethod } from "./method.ts";

export const startTurn = defineMethod("turn/start", async (params, { threads }) => {
  const live = threads.find(params.threadId);
  const change = toChange(params, live);
  const input = await readWireInput(params.input, change.cwd ?? live.config.cwd);
  const outputSchema = params.outputSchema ?? null;
  const { turn, release } = await live.startTurn({ input, said: params.input, change, outputSchema });
  return { result: { turn }, after: release };
});

/** What really differs; the rest stays as it is, and the model is told nothing. */
function toChange(params: Params<"turn/start">, { config }: LiveThread): ThreadChange {
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

export const steerTurn = defineMethod("turn/steer", async ({ threadId, expectedTurnId, input }, { threads }) => {
  const live = threads.find(threadId);
  await live.steer(expectedTurnId, await readWireInput(input, live.config.cwd));
  return { result: { turnId: expectedTurnId } };
});

export const interruptTurn = defineMethod("turn/interrupt", async ({ threadId, turnId }, { threads }) => {
  threads.find(threadId).interrupt(turnId);
  return { result: {} };
});
