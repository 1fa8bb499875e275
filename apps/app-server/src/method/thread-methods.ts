import type { ClientParams, OpenedThread, ServerNotification } from "@unroll/app-server-protocol";
import { findRestraint, type StoredThread } from "@unroll/protocol";
import { countTurns, readThreadPage, type RequestedSettings } from "@unroll/thread-host";
import { RequestFault } from "@unroll/thread-host/wire";
import { toChange } from "../map/to-change.ts";
import { findSavedThread } from "./find-saved-thread.ts";
import { toThreadPageQuery } from "./thread-page-query.ts";
import { toActive } from "../map/to-wire-turn.ts";
import { toApprovalPolicy } from "../map/to-wire-policy.ts";
import { toStoredTurns } from "../map/to-stored-turns.ts";
import type { ItemThread } from "../map/to-wire-item.ts";
import type { LiveThread } from "../thread/threads.ts";
import { describeLive, describeStored, describeSummary, toOpened, toStatus } from "./describe-thread.ts";
import type { HistoryMethod } from "./history-methods.ts";
import type { MethodContext, MethodsOf, MethodTable } from "./method.ts";
import { isRunningAgent, readAgentNames } from "./read-agent.ts";
import { readLiveTurns, readTurns } from "./read-turns.ts";
import { tellBegun, tellOpened } from "./tell-opened.ts";
import type { ThreadStateMethod } from "./thread-state-methods.ts";

export const threadMethods: MethodTable<Exclude<MethodsOf<"thread">, HistoryMethod | ThreadStateMethod>> = {
  async "thread/start"({ ephemeral, ...asked }, context) {
    const origin = { type: "new", isEphemeral: ephemeral ?? false } as const;
    const opened = await context.threads.open({ origin, asked: toAskedSettings(asked) }, context.client);
    return tellBegun(opened, [], context);
  },

  async "thread/resume"({ excludeTurns, ...asked }, context) {
    const { threads, client, threadHost } = context;
    const threadId = await findSavedThread(asked, threadHost);
    const open = threadHost.threads.get(threadId);
    if (open !== undefined) {
      if (findRestraint(asked.config) !== null)
        throw new RequestFault("invalidRequest", "config: the thread is open: change its limits by turn/start.");
      const { approvalPolicy, sandbox, permissions } = asked;
      await open.change(toChange({ approvalPolicy, sandbox, permissions }, open));
      open.client.group.join(client);
      const turns = excludeTurns ? [] : await readLiveTurns(open);
      return { result: withPath(toOpened(open, turns, context), excludeTurns ? null : await open.load()) };
    }
    const stored = await threadHost.load(threadId);
    const opened = await threads.open({ origin: { type: "resumed", stored }, asked: toAskedSettings(asked) }, client);
    const { id } = opened.thread;
    if (opened.isNew)
      client.notify({ method: "thread/status/changed", params: { threadId: id, status: { type: "idle" } } });
    const reply = tellOpened(
      opened,
      excludeTurns ? [] : toStoredTurns(stored.entries, toPlace(opened.thread)),
      context,
    );
    return { ...reply, result: withPath(reply.result, stored) };
  },

  async "thread/fork"({ lastTurnId, excludeTurns, ephemeral, ...asked }, context) {
    const stored = await context.threadHost.load(await findSavedThread(asked, context.threadHost));
    const count = lastTurnId ? countTurns(stored, lastTurnId) : null;
    const origin = { type: "forked", stored, turns: count, isEphemeral: ephemeral ?? false } as const;
    const opened = await context.threads.open({ origin, asked: toAskedSettings(asked) }, context.client);
    const turns = excludeTurns ? [] : toStoredTurns(stored.entries, toPlace(opened.thread));
    const last = turns.findIndex(({ id }) => id === lastTurnId);
    return tellBegun(opened, last < 0 ? turns : turns.slice(0, last + 1), context);
  },

  async "thread/read"({ threadId, includeTurns }, context) {
    const { threadHost } = context;
    const live = threadHost.threads.get(threadId);
    if (live !== undefined) {
      return { result: { thread: describeLive(live, includeTurns ? await readLiveTurns(live) : [], context) } };
    }
    const stored = await threadHost.load(threadId);
    const turns = includeTurns ? await readTurns(threadId, context) : [];
    const status = isRunningAgent(threadId, context) ? toActive(false) : null;
    const names = await readAgentNames(stored, context);
    return { result: { thread: describeStored(stored, { turns, status, names }, context) } };
  },

  async "thread/list"(params, context) {
    const query = toThreadPageQuery(params);
    const { threads, nextCursor } = await readThreadPage(await context.threadHost.openStore(), query);
    const data = threads.map((summary) => {
      const live = context.threadHost.threads.get(summary.threadId);
      return describeSummary(summary, live === undefined ? null : toStatus(live), context);
    });
    return { result: { data, nextCursor, backwardsCursor: null } };
  },

  async "thread/loaded/list"(_, { threadHost }) {
    return { result: { data: [...threadHost.threads.keys()], nextCursor: null } };
  },

  async "thread/unsubscribe"({ threadId }, { threads, client }) {
    const wasThere = await threads.leave(threadId, client);
    return { result: { status: wasThere ? "unsubscribed" : "notSubscribed" } };
  },

  async "thread/archive"({ threadId }, context) {
    const after = tellLater({ method: "thread/archived", params: { threadId } }, context);
    await closeKept(threadId, context);
    await (await context.threadHost.openStore()).upkeep.archive(threadId);
    return { result: {}, after };
  },

  async "thread/unarchive"({ threadId }, context) {
    await (await context.threadHost.openStore()).upkeep.unarchive(threadId);
    const stored = await context.threadHost.load(threadId);
    const after = tellLater({ method: "thread/unarchived", params: { threadId } }, context);
    return { result: { thread: describeStored(stored, {}, context) }, after };
  },

  async "thread/delete"({ threadId }, context) {
    const after = tellLater({ method: "thread/deleted", params: { threadId } }, context);
    await closeKept(threadId, context);
    await (await context.threadHost.openStore()).upkeep.remove(threadId);
    return { result: {}, after };
  },

  async "thread/name/set"({ threadId, name: given }, context) {
    const threadName = given.trim();
    await context.threadHost.rename(threadId, threadName === "" ? null : threadName);
    return {
      result: {},
      after: tellLater({ method: "thread/name/updated", params: { threadId, threadName } }, context),
    };
  },

  async "thread/compact/start"({ threadId }, { threads }) {
    const { release } = await threads.find(threadId).compact();
    return { result: {}, after: release };
  },

  async "thread/rollback"({ threadId, numTurns }, context) {
    const live = context.threads.find(threadId);
    const stored = await live.rewind(numTurns);
    const turns = stored === null ? [] : toStoredTurns(stored.entries, toPlace(live));
    return { result: { thread: describeLive(live, turns, context) } };
  },
};

function toPlace({ id: threadId, config: { cwd } }: LiveThread): ItemThread {
  return { threadId, cwd };
}

/** Where the thread is saved; null: it is not known. */
function withPath(opened: OpenedThread, stored: StoredThread | null): OpenedThread {
  return { ...opened, thread: { ...opened.thread, path: stored?.path ?? null } };
}

/** Closes a thread that is saved; any other stays open. Throws if there is none. */
async function closeKept(threadId: string, { threadHost }: MethodContext): Promise<void> {
  await threadHost.load(threadId);
  await threadHost.close(threadId);
}

/** Notifies the clients of the thread as they are now, and the one that asked. */
function tellLater(
  told: Extract<ServerNotification, { readonly params: { readonly threadId: string } }>,
  { threadHost, client }: MethodContext,
): () => void {
  const group = threadHost.threads.get(told.params.threadId)?.client.group ?? null;
  return () => {
    if (group?.has(client) !== true) client.notify(told);
    group?.tell([told]);
  };
}

/** The settings that a client asks for. */
function toAskedSettings(params: ClientParams<"thread/start">): RequestedSettings {
  return {
    model: params.model ?? null,
    modelProvider: params.modelProvider ?? null,
    cwd: params.cwd ?? null,
    approvalPolicy: toApprovalPolicy(params.approvalPolicy),
    sandbox: params.sandbox ?? null,
    permissions: params.permissions ?? null,
    config: params.config ?? null,
    baseInstructions: params.baseInstructions ?? null,
    developerInstructions: params.developerInstructions ?? null,
  };
}
