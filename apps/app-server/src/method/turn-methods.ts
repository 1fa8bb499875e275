import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ClientParams } from "@unroll/app-server-protocol";
import { explainUnsupportedEffort } from "@unroll/config";
import type { HostedThread } from "@unroll/thread-host";
import type { ThreadChange } from "@unroll/harness";
import { RequestFault } from "@unroll/thread-host/wire";
import { readWireInput } from "../map/to-wire-input.ts";
import { toWireSettings } from "../map/to-wire-settings.ts";
import { toApprovalPolicy, withWireSandbox } from "../map/to-wire-policy.ts";
import { toWireTurn } from "../map/to-wire-turn.ts";
import type { MethodsOf, MethodTable } from "./method.ts";

export const turnMethods: MethodTable<MethodsOf<"turn">> = {
  async "turn/start"(params, { threads }) {
    const thread = threads.find(params.threadId);
    const { follower } = thread;
    const change = toChange(params, thread);
    const input = await readWireInput(params.input, change.cwd ?? thread.config.cwd);
    const { id, release } = await thread.run(input, { change, outputSchema: params.outputSchema ?? null });
    follower.teller.expect(id, params.input);
    const after = (): void => {
      const told = { threadId: thread.id, threadSettings: toWireSettings(thread.config) };
      if (Object.keys(change).length > 0) follower.audience.tell([{ method: "thread/settings/updated", params: told }]);
      release();
    };
    return { result: { turn: toWireTurn(id, { status: "inProgress" }) }, after };
  },

  async "turn/steer"({ threadId, expectedTurnId, input }, { threads }) {
    const thread = threads.find(threadId);
    const { follower } = thread;
    await thread.steer(expectedTurnId, await readWireInput(input, thread.config.cwd));
    return { result: { turnId: expectedTurnId }, after: () => follower.audience.tell(follower.teller.tellSaid(input)) };
  },

  async "turn/interrupt"({ threadId, turnId }, { threads }) {
    threads.find(threadId).interrupt(turnId);
    return { result: {} };
  },
};

/** What really differs; the rest stays as it is, and the model is told nothing. */
function toChange(params: ClientParams<"turn/start">, { config }: HostedThread<unknown>): ThreadChange {
  const { model, effort, summary, sandboxPolicy } = params;
  if (model && model !== config.model) {
    const message = `model: this thread runs with ${config.model}. Its history is made for that: thread/resume or thread/fork with another model.`;
    throw new RequestFault("invalidParams", message);
  }
  const fault = effort ? explainUnsupportedEffort(effort, config) : null;
  if (fault !== null) throw new RequestFault("invalidParams", `effort: ${fault}`);
  const cwd = params.cwd ? resolve(config.cwd, params.cwd) : config.cwd;
  const policy = toApprovalPolicy(params.approvalPolicy) ?? config.approvalPolicy;
  const sandbox = sandboxPolicy ? withWireSandbox(config.sandboxSettings, sandboxPolicy) : config.sandboxSettings;
  return {
    ...(cwd === config.cwd ? {} : { cwd }),
    ...(policy === config.approvalPolicy ? {} : { approvalPolicy: policy }),
    ...(isDeepStrictEqual(sandbox, config.sandboxSettings) ? {} : { sandboxSettings: sandbox }),
    ...(effort && effort !== config.reasoningEffort ? { reasoningEffort: effort } : {}),
    ...(summary && summary !== config.reasoningSummary ? { reasoningSummary: summary } : {}),
  };
}
