import { readCursor } from "@unroll/thread-host";
import { RequestFault } from "@unroll/thread-host/wire";
import { renderUserCommand, runUserCommand } from "@unroll/use-cases/user-command";
import { type AskedChange, toChange } from "../map/to-change.ts";
import { toWireSettings } from "../map/to-wire-settings.ts";
import type { LiveThread } from "../thread/threads.ts";
import { describeLive } from "./describe-thread.ts";
import type { MethodTable } from "./method.ts";
import { takePage } from "./take-page.ts";
import { toPlanning, withMode } from "./turn-methods.ts";

/** The methods of this file. */
export type ThreadStateMethod =
  | "thread/settings/update"
  | "thread/metadata/update"
  | "thread/shellCommand"
  | "thread/goal/get"
  | "thread/goal/clear"
  | "thread/backgroundTerminals/list"
  | "thread/backgroundTerminals/terminate"
  | "thread/backgroundTerminals/clean";

/** The time limit of a user's command: one hour, as in the Codex CLI. */
const usualTimeoutMs = 60 * 60 * 1000;

export const threadStateMethods: MethodTable<ThreadStateMethod> = {
  async "thread/settings/update"({ threadId, ...asked }, { threads }) {
    const thread = threads.find(threadId);
    const before = toWireSettings(thread);
    await updateSettings(asked, thread);
    const threadSettings = toWireSettings(thread);
    const after = (): void =>
      thread.client.group.tell([{ method: "thread/settings/updated", params: { threadId, threadSettings } }]);
    return { result: {}, ...(JSON.stringify(before) !== JSON.stringify(threadSettings) && { after }) };
  },

  async "thread/metadata/update"({ threadId, projectId }, context) {
    if (typeof projectId !== "string")
      throw new RequestFault("invalidRequest", 'projectId: "" is expected: nothing else of a thread can be set here.');
    return { result: { thread: describeLive(context.threads.find(threadId), [], context) } };
  },

  async "thread/shellCommand"({ threadId, command: script, timeoutMs }, { threads, threadHost }) {
    const thread = threads.find(threadId);
    const { host } = threadHost;
    const command = { id: host.newId(), script, isConfined: false, timeoutMs: timeoutMs ?? usualTimeoutMs };
    const { release } = await thread.runBeside(async function* (signal) {
      const item = yield* runUserCommand(command, { config: thread.config, host }, signal);
      await thread.send([{ type: "text", text: renderUserCommand(item), isAdded: true }]); // first: who hears of its end may count on it
      yield { type: "item.completed", item };
    });
    return { result: {}, after: release };
  },

  async "thread/goal/get"({ threadId }, { threadHost }) {
    if (!threadHost.threads.has(threadId)) await threadHost.load(threadId); // throws if there is none
    return { result: { goal: null } };
  },

  async "thread/goal/clear"({ threadId }, { threadHost }) {
    if (!threadHost.threads.has(threadId)) await threadHost.load(threadId);
    return { result: { cleared: false } };
  },

  async "thread/backgroundTerminals/list"({ threadId, cursor = null, limit = null }, { threads }) {
    const terminals = listRunning(threads.find(threadId)).map(({ id, command, cwd }) => {
      const unknown = { osPid: null, cpuPercent: null, rssKb: null };
      return { itemId: "", processId: String(id), command, cwd, ...unknown };
    });
    const { data, nextCursor } = takePage(terminals, { cursor: readCursor(cursor), limit, direction: "asc" });
    return { result: { data, nextCursor } };
  },

  async "thread/backgroundTerminals/terminate"({ threadId, processId }, { threads }) {
    const thread = threads.find(threadId);
    const running = listRunning(thread).find(({ id }) => String(id) === processId);
    return { result: { terminated: running !== undefined && (await thread.backgroundCommands.kill(running.id)) } };
  },

  async "thread/backgroundTerminals/clean"({ threadId }, { threads }) {
    const thread = threads.find(threadId);
    await Promise.all(listRunning(thread).map(({ id }) => thread.backgroundCommands.kill(id)));
    return { result: {} };
  },
};

function listRunning({ backgroundCommands }: LiveThread): ReturnType<LiveThread["backgroundCommands"]["list"]> {
  return backgroundCommands.list().filter(({ isRunning }) => isRunning);
}

/** Changes what differs, from the next turn on. */
async function updateSettings(params: AskedChange, thread: LiveThread): Promise<void> {
  const asked = withMode(params);
  const model = asked.model && asked.model !== thread.config.model ? { model: asked.model, modelProvider: null } : null;
  await thread.configure({ model, change: toChange(asked, thread), isPlanning: toPlanning(params) });
}
