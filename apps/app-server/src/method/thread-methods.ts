import type { ServerNotification } from "@unroll/app-server-protocol";
import type { StoredThread } from "@unroll/protocol";
import { type AskedSettings, readStoredTurns, type ServedOrigin } from "@unroll/front-end";
import { describeLive, describeStored, describeSummary, toOpened, toStatus } from "./describe-thread.ts";
import { RequestFault } from "@unroll/line-server";
import type { OpenedLive } from "../thread/threads.ts";
import { toAskedSettings } from "../map/to-asked-settings.ts";
import { toStoredTurns } from "../map/to-stored-turns.ts";
import { defineMethod, type Method, type MethodContext } from "./method.ts";

/** How many threads a page has that does not say. */
const pageSize = 50;

export const startThread: Method = defineMethod("thread/start", async ({ ephemeral, ...asked }, context) => {
  const origin = { type: "new", isEphemeral: ephemeral ?? false } as const;
  const opened = await context.threads.open({ origin, asked: toAskedSettings(asked) }, context.client);
  return tellOpened(opened, null, context);
});

export const resumeThread: Method = defineMethod(
  "thread/resume",
  async ({ threadId, excludeTurns, ...asked }, context) => {
    const { threads, client } = context;
    const open = threads.get(threadId);
    const stored = open?.thread.isEphemeral ? null : await context.frontEnd.load(threadId);
    const live = open ?? threads.get(stored?.threadId ?? "");
    if (live === null) {
      if (stored === null) throw new RequestFault("invalidRequest", `threadId: there is no thread ${threadId}.`);
      const own = { asked: toAskedSettings(asked), excludeTurns: excludeTurns ?? false, lastTurnId: null };
      return openKept({ type: "resumed", stored }, own, context);
    }
    live.follower.audience.join(client);
    const turns = excludeTurns || stored === null ? [] : toStoredTurns(stored.entries, live.thread.config.cwd);
    return { result: toOpened(live, turns, context) };
  },
);

export const forkThread: Method = defineMethod(
  "thread/fork",
  async ({ threadId, lastTurnId, excludeTurns, ephemeral, ...asked }, context) => {
    const stored = await context.frontEnd.load(threadId);
    const turns = lastTurnId ? countTurns(stored, lastTurnId) : null;
    const origin: ServedOrigin = { type: "forked", stored, turns, isEphemeral: ephemeral ?? false };
    const own = { asked: toAskedSettings(asked), excludeTurns: excludeTurns ?? false, lastTurnId: lastTurnId ?? null };
    return openKept(origin, own, context);
  },
);

interface AskedKept {
  /** Null: all turns are shown. */
  readonly lastTurnId: string | null;
  readonly asked: AskedSettings;
  readonly excludeTurns: boolean;
}

async function openKept(
  origin: Exclude<ServedOrigin, { readonly type: "new" }>,
  { asked, excludeTurns, lastTurnId }: AskedKept,
  context: MethodContext,
): ReturnType<typeof tellOpened> {
  const opened = await context.threads.open({ origin, asked }, context.client);
  const turns = toStoredTurns(origin.stored.entries, opened.thread.config.cwd);
  const end = lastTurnId === null ? turns.length : turns.findIndex(({ id }) => id === lastTurnId) + 1;
  return tellOpened(opened, excludeTurns ? null : turns.slice(0, end), context);
}

export async function tellOpened(
  { live, notices, release }: OpenedLive,
  turns: ReturnType<typeof toStoredTurns> | null,
  context: MethodContext,
): Promise<{ readonly result: ReturnType<typeof toOpened>; readonly after: () => void }> {
  const result = toOpened(live, turns ?? [], context);
  return {
    result,
    after() {
      context.client.notify({ method: "thread/started", params: { thread: { ...result.thread, turns: [] } } });
      for (const message of notices)
        context.client.notify({ method: "warning", params: { threadId: live.thread.id, message } });
      release();
    },
  };
}

/** How many turns were begun in a thread up to this one. */
function countTurns({ threadId, entries }: StoredThread, lastTurnId: string): number {
  const ids = entries.flatMap((entry) => (entry.type === "turn.started" ? [entry.turnId] : []));
  const isThere = readStoredTurns(entries).some(({ id }) => id === lastTurnId);
  if (isThere) return ids.indexOf(lastTurnId) + 1;
  throw new RequestFault("invalidParams", `lastTurnId: the thread ${threadId} has no turn ${lastTurnId}.`);
}

export const readThread: Method = defineMethod("thread/read", async ({ threadId, includeTurns }, context) => {
  const live = context.threads.get(threadId);
  if (live !== null && (live.thread.isEphemeral || !includeTurns))
    return { result: { thread: describeLive(live, [], context) } };
  const stored = await context.frontEnd.load(threadId);
  const cwd = live?.thread.config.cwd ?? context.io.cwd;
  const turns = includeTurns ? toStoredTurns(stored.entries, cwd) : [];
  const thread = live === null ? describeStored(stored, turns, context) : describeLive(live, turns, context);
  return { result: { thread } };
});

export const listThreads: Method = defineMethod("thread/list", async ({ cursor, limit, archived, cwd }, context) => {
  const store = await context.frontEnd.openStore();
  const folders = typeof cwd === "string" ? [cwd] : (cwd ?? null);
  const skip = readCursor(cursor ?? null);
  const size = limit ?? pageSize;
  const data = [];
  let seen = 0;
  for await (const summary of store.list(archived ? { archived } : {})) {
    if (folders !== null && !folders.includes(summary.cwd ?? "")) continue;
    seen += 1;
    if (seen <= skip) continue;
    if (data.length === size) return { result: { data, nextCursor: String(skip + size), backwardsCursor: null } };
    const live = context.threads.get(summary.threadId);
    data.push(describeSummary(summary, live && toStatus(live), context));
  }
  return { result: { data, nextCursor: null, backwardsCursor: null } };
});

function readCursor(cursor: string | null): number {
  if (cursor === null) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new RequestFault("invalidParams", "cursor: the nextCursor of the page before is expected.");
}

export const listLoadedThreads: Method = defineMethod("thread/loaded/list", async (_, { threads }) => ({
  result: { data: threads.list().map(({ thread }) => thread.id), nextCursor: null },
}));

export const unsubscribeThread: Method = defineMethod(
  "thread/unsubscribe",
  async ({ threadId }, { threads, client }) => {
    const wasThere = await threads.leave(threadId, client);
    return { result: { status: wasThere ? "unsubscribed" : "notSubscribed" } };
  },
);

export const archiveThread: Method = defineMethod("thread/archive", async ({ threadId }, context) => {
  const after = tellLater({ method: "thread/archived", params: { threadId } }, context);
  await context.threads.close(threadId);
  await (await context.frontEnd.openUpkeep()).archive(threadId);
  return { result: {}, after };
});

export const unarchiveThread: Method = defineMethod("thread/unarchive", async ({ threadId }, context) => {
  await (await context.frontEnd.openUpkeep()).unarchive(threadId);
  const stored = await context.frontEnd.load(threadId);
  const after = tellLater({ method: "thread/unarchived", params: { threadId } }, context);
  return { result: { thread: describeStored(stored, [], context) }, after };
});

export const deleteThread: Method = defineMethod("thread/delete", async ({ threadId }, context) => {
  const after = tellLater({ method: "thread/deleted", params: { threadId } }, context);
  await context.threads.close(threadId);
  await (await context.frontEnd.openUpkeep()).remove(threadId);
  return { result: {}, after };
});

export const nameThread: Method = defineMethod("thread/name/set", async ({ threadId, name: given }, context) => {
  const name = given.trim();
  await context.frontEnd.rename(threadId, name === "" ? null : name);
  return {
    result: {},
    after: tellLater({ method: "thread/name/updated", params: { threadId, threadName: name } }, context),
  };
});

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

export const compactThread: Method = defineMethod("thread/compact/start", async ({ threadId }, { threads }) => {
  const { release } = await threads.find(threadId).thread.compact();
  return { result: {}, after: release };
});

export const rollBackThread: Method = defineMethod("thread/rollback", async ({ threadId, numTurns }, context) => {
  const { live, stored, release } = await context.threads.rollBack(threadId, numTurns);
  const turns = stored === null ? [] : toStoredTurns(stored.entries, live.thread.config.cwd);
  return { result: { thread: describeLive(live, turns, context) }, after: release };
});
