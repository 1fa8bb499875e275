import { applyChange } from "@unroll/config";
import type { ClientParams } from "@unroll/app-server-protocol";
import { RequestFault } from "@unroll/thread-host/wire";
import type { ThreadChange } from "@unroll/harness";
import type { UserInput } from "@unroll/protocol";
import { readWireInput } from "../map/to-wire-input.ts";
import { toWireSettings } from "../map/to-wire-settings.ts";
import { type AskedChange, toChange } from "../map/to-change.ts";
import { toWireTurn } from "../map/to-wire-turn.ts";
import type { LiveThread } from "../thread/threads.ts";
import type { MethodReply, MethodsOf, MethodTable } from "./method.ts";

export const turnMethods: MethodTable<MethodsOf<"turn">> = {
  async "turn/start"(params, { threads }) {
    const thread = threads.find(params.threadId);
    const { client } = thread;
    const asked = withMode(params);
    const change = toChange(asked, thread);
    const model = asked.model && asked.model !== thread.config.model ? { model: asked.model } : null;
    const input = await readWireInput(params.input, applyChange(thread.config, change));
    if (thread.turnId !== null) return joinTurn(thread, thread.turnId, { params: asked, input, change });
    const { outputSchema = null } = params;
    const { id, release } = await thread.run(input, { model, change, isPlanning: toPlanning(params), outputSchema });
    client.teller.expect(id, params);
    const after = (): void => {
      if (model !== null || params.collaborationMode || Object.keys(change).length > 0) tellSettings(thread);
      release();
    };
    return { result: { turn: toWireTurn(id, { status: "inProgress" }) }, after };
  },

  async "turn/steer"({ threadId, expectedTurnId, ...message }, { threads }) {
    const thread = threads.find(threadId);
    const { client } = thread;
    await thread.steer(expectedTurnId, await readWireInput(message.input, thread.config));
    return { result: { turnId: expectedTurnId }, after: () => client.group.tell(client.teller.tellSaid(message)) };
  },

  async "turn/interrupt"({ threadId, turnId }, { threads }) {
    threads.find(threadId).interrupt(turnId);
    return { result: {} };
  },
};

interface JoiningMessage {
  readonly params: ClientParams<"turn/start">;
  readonly input: UserInput;
  readonly change: ThreadChange;
}

/** A message into the running turn: it steers, and its settings hold from the next request and call on. */
async function joinTurn(
  thread: LiveThread,
  turnId: string,
  { params, input, change }: JoiningMessage,
): Promise<MethodReply<"turn/start">> {
  const { group, teller } = thread.client;
  const { model, outputSchema, collaborationMode: mode } = params;
  const isOtherMode = mode ? (mode.mode === "plan") !== thread.isPlanning : false;
  if ((model && model !== thread.config.model) || outputSchema || isOtherMode)
    throw new RequestFault(
      "invalidRequest",
      "A turn is running in this thread, and its model, mode and output schema cannot change: leave them out, interrupt the turn, or wait for its end.",
    );
  await thread.steer(turnId, input, change);
  const after = (): void => {
    if (Object.keys(change).length > 0) tellSettings(thread);
    group.tell(teller.tellSaid(params));
  };
  return { result: { turn: toWireTurn(turnId, { status: "inProgress" }) }, after };
}

function tellSettings(thread: LiveThread): void {
  const params = { threadId: thread.id, threadSettings: toWireSettings(thread) };
  thread.client.group.tell([{ method: "thread/settings/updated", params }]);
}

/** Whether the client turns plan mode on or off; null: neither. */
export function toPlanning({ collaborationMode }: AskedChange): boolean | null {
  return collaborationMode ? collaborationMode.mode === "plan" : null;
}

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
