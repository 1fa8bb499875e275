import type { ServerNotification, WireTurn } from "@unroll/app-server-protocol";
import { countTurns, readThreadPage } from "@unroll/thread-host";
import { toAskedSettings } from "../map/to-asked-settings.ts";
import { toStoredTurns } from "../map/to-stored-turns.ts";
import { describeLive, describeStored, describeSummary, toOpened, toStatus } from "./describe-thread.ts";
import type { LiveThread } from "../thread/threads.ts";
import type { MethodContext, MethodsOf, MethodTable } from "./method.ts";
import { tellBegun, tellOpened } from "./tell-opened.ts";

export const threadMethods: MethodTable<MethodsOf<"thread">> = {
  async "thread/start"({ ephemeral, ...asked }, context) {
    const origin = { type: "new", isEphemeral: ephemeral ?? false } as const;
    const opened = await context.threads.open({ origin, asked: toAskedSettings(asked) }, context.client);
    return tellBegun(opened, [], context);
  },

  async "thread/resume"({ threadId, excludeTurns, ...asked }, context) {
    const { threads, client, threadHost } = context;
    const open = threads.get(threadId);
    if (open?.thread.isEphemeral) {
      open.follower.audience.join(client);
      return { result: toOpened(open, [], context) };
    }
    const stored = await threadHost.load(threadId);
    const live = open ?? threads.get(stored.threadId);
    const listTurns = ({ thread }: LiveThread): readonly WireTurn[] =>
      excludeTurns ? [] : toStoredTurns(stored.entries, thread.config.cwd);
    if (live !== null) {
      live.follower.audience.join(client);
      return { result: toOpened(live, listTurns(live), context) };
    }
    const opened = await threads.open({ origin: { type: "resumed", stored }, asked: toAskedSettings(asked) }, client);
    client.notify({
      method: "thread/status/changed",
      params: { threadId: opened.thread.id, status: { type: "idle" } },
    });
    return tellOpened(opened, listTurns(opened.live), context);
  },

  async "thread/fork"({ threadId, lastTurnId, excludeTurns, ephemeral, ...asked }, context) {
    const stored = await context.threadHost.load(threadId);
    const count = lastTurnId ? countTurns(stored, lastTurnId) : null;
    const origin = { type: "forked", stored, turns: count, isEphemeral: ephemeral ?? false } as const;
    const opened = await context.threads.open({ origin, asked: toAskedSettings(asked) }, context.client);
    const turns = excludeTurns ? [] : toStoredTurns(stored.entries, opened.thread.config.cwd);
    const last = turns.findIndex(({ id }) => id === lastTurnId);
    return tellBegun(opened, last < 0 ? turns : turns.slice(0, last + 1), context);
  },

  async "thread/read"({ threadId, includeTurns }, context) {
    const live = context.threads.get(threadId);
    if (live !== null && (live.thread.isEphemeral || !includeTurns))
      return { result: { thread: describeLive(live, [], context) } };
    const stored = await context.threadHost.load(threadId);
    const cwd = live?.thread.config.cwd ?? context.io.cwd;
    const turns = includeTurns ? toStoredTurns(stored.entries, cwd) : [];
    const thread = live === null ? describeStored(stored, turns, context) : describeLive(live, turns, context);
    return { result: { thread } };
  },

  async "thread/list"({ cursor = null, limit = null, archived, cwd }, context) {
    const folders = typeof cwd === "string" ? [cwd] : (cwd ?? null);
    const { threads, nextCursor } = await readThreadPage(await context.threadHost.openStore(), {
      cursor,
      size: limit,
      isWanted: (thread) => folders?.includes(thread.cwd ?? "") ?? true,
      archived: archived === true,
    });
    const data = threads.map((summary) => {
      const live = context.threads.get(summary.threadId);
      return describeSummary(summary, live && toStatus(live), context);
    });
    return { result: { data, nextCursor, backwardsCursor: null } };
  },

  async "thread/loaded/list"(_, { threads }) {
    return { result: { data: threads.list().map(({ thread }) => thread.id), nextCursor: null } };
  },

  async "thread/unsubscribe"({ threadId }, { threads, client }) {
    const wasThere = await threads.leave(threadId, client);
    return { result: { status: wasThere ? "unsubscribed" : "notSubscribed" } };
  },

  async "thread/archive"({ threadId }, context) {
    const after = tellLater({ method: "thread/archived", params: { threadId } }, context);
    await closeKept(threadId, context);
    await (await context.threadHost.openUpkeep()).archive(threadId);
    return { result: {}, after };
  },

  async "thread/unarchive"({ threadId }, context) {
    await (await context.threadHost.openUpkeep()).unarchive(threadId);
    const stored = await context.threadHost.load(threadId);
    const after = tellLater({ method: "thread/unarchived", params: { threadId } }, context);
    return { result: { thread: describeStored(stored, [], context) }, after };
  },

  async "thread/delete"({ threadId }, context) {
    const after = tellLater({ method: "thread/deleted", params: { threadId } }, context);
    await closeKept(threadId, context);
    await (await context.threadHost.openUpkeep()).remove(threadId);
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
    const { release } = await threads.find(threadId).thread.compact();
    return { result: {}, after: release };
  },

  async "thread/rollback"({ threadId, numTurns }, context) {
    const { live, stored, release } = await context.threads.rollBack(threadId, numTurns);
    const turns = stored === null ? [] : toStoredTurns(stored.entries, live.thread.config.cwd);
    return { result: { thread: describeLive(live, turns, context) }, after: release };
  },
};

/** One of which nothing is kept stays open. Throws where there is none. */
async function closeKept(threadId: string, { threadHost, threads }: MethodContext): Promise<void> {
  await threadHost.load(threadId);
  await threads.close(threadId);
}

/** Tells the clients that the thread has now, and who asked. */
function tellLater(
  told: Extract<ServerNotification, { readonly params: { readonly threadId: string } }>,
  { threads, client }: MethodContext,
): () => void {
  const audience = threads.get(told.params.threadId)?.follower.audience ?? null;
  return () => {
    if (audience?.has(client) !== true) client.notify(told);
    audience?.tell([told]);
  };
}
