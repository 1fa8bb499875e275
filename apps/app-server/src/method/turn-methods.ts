import { applyChange } from "@unroll/config";
import { RequestFault } from "@unroll/thread-host/wire";
import { readWireInput } from "../map/to-wire-input.ts";
import { toWireSettings } from "../map/to-wire-settings.ts";
import { type AskedChange, toChange } from "../map/to-change.ts";
import { toWireTurn } from "../map/to-wire-turn.ts";
import type { MethodsOf, MethodTable } from "./method.ts";

export const turnMethods: MethodTable<MethodsOf<"turn">> = {
  async "turn/start"(params, { threads }) {
    const thread = threads.find(params.threadId);
    const { client } = thread;
    if (params.collaborationMode && !thread.isRunning)
      await thread.setPlanMode(params.collaborationMode.mode === "plan");
    const asked = withMode(params);
    const change = toChange(asked, thread);
    const model = asked.model && asked.model !== thread.config.model ? { model: asked.model } : null;
    const input = await readWireInput(params.input, applyChange(thread.config, change));
    const { id, release } = await thread.run(input, { model, change, outputSchema: params.outputSchema ?? null });
    client.teller.expect(id, params.input);
    const after = (): void => {
      const told = { threadId: thread.id, threadSettings: toWireSettings(thread) };
      if (model !== null || params.collaborationMode || Object.keys(change).length > 0)
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

/** The model and the effort of a collaboration mode win over the others. */
export function withMode<Asked extends AskedChange>(asked: Asked): Asked {
  const settings = asked.collaborationMode?.settings;
  if (settings === undefined) return asked;
  if (settings.developer_instructions)
    throw new RequestFault(
      "invalidParams",
      "collaborationMode.settings.developer_instructions: null is expected, for the instructions of the mode.",
    );
  return { ...asked, model: settings.model, ...(settings.reasoning_effort && { effort: settings.reasoning_effort }) };
}
