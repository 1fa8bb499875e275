import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ClientParams } from "@unroll/app-server-protocol";
import { applyChange } from "@unroll/config";
import type { HostedThread } from "@unroll/thread-host";
import type { ThreadChange } from "@unroll/harness";
import { readWireInput } from "../map/to-wire-input.ts";
import { toWireSettings } from "../map/to-wire-settings.ts";
import { toApprovalPolicy, withWireSandbox } from "../map/to-wire-policy.ts";
import { toWireTurn } from "../map/to-wire-turn.ts";
import type { MethodsOf, MethodTable } from "./method.ts";

export const turnMethods: MethodTable<MethodsOf<"turn">> = {
  async "turn/start"(params, { threads }) {
    const thread = threads.find(params.threadId);
    const { client } = thread;
    const change = toChange(params, thread);
    const model = params.model && params.model !== thread.config.model ? { model: params.model } : null;
    const input = await readWireInput(params.input, applyChange(thread.config, change));
    const { id, release } = await thread.run(input, { model, change, outputSchema: params.outputSchema ?? null });
    client.teller.expect(id, params.input);
    const after = (): void => {
      const told = { threadId: thread.id, threadSettings: toWireSettings(thread) };
      if (model !== null || Object.keys(change).length > 0)
        client.group.tell([{ method: "thread/settings/updated", params: told }]);
      release();
    };
    return { result: { turn: toWireTurn(id, { status: "inProgress" }) }, after };
  },

  async "turn/steer"({ threadId, expectedTurnId, input }, { threads }) {
    const thread = threads.find(threadId);
    const { client } = thread;
    await thread.steer(expectedTurnId, await readWireInput(input, thread.config));
    return { result: { turnId: expectedTurnId }, after: () => client.group.tell(client.teller.tellSaid(input)) };
  },

  async "turn/interrupt"({ threadId, turnId }, { threads }) {
    threads.find(threadId).interrupt(turnId);
    return { result: {} };
  },
};

/** Only the settings that change: each change is a message to the model. */
function toChange(params: ClientParams<"turn/start">, { config }: HostedThread<unknown>): ThreadChange {
  const { effort, summary, sandboxPolicy } = params;
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
