import type { StoredThread } from "@unroll/protocol";
import { openProgramUpkeep } from "@unroll/program";
import { describeLive, describeStored, describeSummary, toOpened } from "./describe-thread.ts";
import type { Params } from "../schema/client-requests.ts";
import type { OpenedLive, Origin } from "../thread/threads.ts";
import { RequestFault } from "../wire/request-fault.ts";
import { toStoredTurns } from "../map/to-stored-turns.ts";
import { defineMethod, type MethodContext } from "./method.ts";

/** How many threads a page has that does not say. */
const pageSize = 50;

export const startThread = defineMethod("thread/start", async ({ ephemeral, ...asked }, context) => {
  const opened = await context.threads.open(asked, { type: "new", isEphemeral: ephemeral ?? false }, context.client);
  return tellOpened(opened, null, context);
});

export const resumeThread = defineMethod("thread/resume", async ({ threadId, excludeTurns, ...asked }, context) => {
  const { threads, client } = context;
  const open = threads.all.get(threadId);
  const stored = open?.isEphemeral ? null : await (await context.openStore()).load(threadId);
  const live = open ?? threads.all.get(stored?.threadId ?? "");
  if (live !== undefined) {
    live.audience.join(client);
    const turns = excludeTurns || stored === null ? [] : toStoredTurns(stored.entries, live.config.cwd);
    return { result: toOpened(live, turns, context) };
  }
  if (stored === null) throw new RequestFault("invalidRequest", `threadId: there is no thread ${threadId}.`);
  return openKept({ type: "resumed", stored }, { asked, excludeTurns: excludeTurns ?? false }, context);
});

export const forkThread = defineMethod(
  "thread/fork",
  async ({ threadId, lastTurnId, excludeTurns, ephemeral, ...asked }, context) => {
    const stored = await (await context.openStore()).load(threadId);
    const turns = lastTurnId ? countTurns(stored, lastTurnId) : null;
    const origin: Origin = { type: "forked", stored, turns, isEphemeral: ephemeral ?? false };
    return openKept(origin, { asked, excludeTurns: excludeTurns ?? false }, context);
  },
);

interface AskedKept {
  readonly asked: Omit<Params<"thread/start">, "ephemeral">;
  readonly excludeTurns: boolean;
}

async function openKept(
  origin: Exclude<Origin, { readonly type: "new" }>,
  { asked, excludeTurns }: AskedKept,
  context: MethodContext,
): ReturnType<typeof tellOpened> {
  const opened = await context.threads.open(asked, origin, context.client);
  const turns = toStoredTurns(origin.stored.entries, opened.live.config.cwd);
  const count = origin.type === "forked" && origin.turns !== null ? origin.turns : turns.length;
  return tellOpened(opened, excludeTurns ? null : turns.slice(0, count), context);
}

async function tellOpened(
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
        context.client.notify({ method: "warning", params: { threadId: live.id, message } });
      release();
    },
  };
}

/** How many turns a thread has up to the end of this one. */
function countTurns({ threadId, entries }: StoredThread, lastTurnId: string): number {
  const ids = entries.flatMap((entry) => (entry.type === "turn.started" ? [entry.turnId] : []));
  const at = ids.indexOf(lastTurnId);
  if (at >= 0) return at + 1;
  throw new RequestFault("invalidParams", `lastTurnId: the thread ${threadId} has no turn ${lastTurnId}.`);
}

export const readThread = defineMethod("thread/read", async ({ threadId, includeTurns }, context) => {
  const live = context.threads.all.get(threadId);
  if (live !== undefined && (live.isEphemeral || !includeTurns))
    return { result: { thread: describeLive(live, [], context) } };
  const stored = await (await context.openStore()).load(threadId);
  const cwd = live?.config.cwd ?? context.io.cwd;
  const turns = includeTurns ? toStoredTurns(stored.entries, cwd) : [];
  const thread = live === undefined ? describeStored(stored, turns, context) : describeLive(live, turns, context);
  return { result: { thread } };
});

export const listThreads = defineMethod("thread/list", async ({ cursor, limit, archived, cwd }, context) => {
  const store = await context.openStore();
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
    data.push(describeSummary(summary, context.threads.all.get(summary.threadId)?.status ?? null, context));
  }
  return { result: { data, nextCursor: null, backwardsCursor: null } };
});

function readCursor(cursor: string | null): number {
  if (cursor === null) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new RequestFault("invalidParams", "cursor: the nextCursor of the page before is expected.");
}

export const listLoadedThreads = defineMethod("thread/loaded/list", async (_, { threads }) => ({
  result: { data: [...threads.all.keys()], nextCursor: null },
}));

export const unsubscribeThread = defineMethod("thread/unsubscribe", async ({ threadId }, { threads, client }) => {
  const wasThere = await threads.leave(threadId, client);
  return { result: { status: wasThere ? "unsubscribed" : "notSubscribed" } };
});

export const archiveThread = defineMethod("thread/archive", async ({ threadId }, context) => {
  const { audience } = context.threads.all.get(threadId) ?? {};
  await context.threads.close(threadId);
  await (await openUpkeep(context)).archive(threadId);
  const told = { method: "thread/archived", params: { threadId } } as const;
  return { result: {}, after: () => audience?.tell([told]) };
});

export const unarchiveThread = defineMethod("thread/unarchive", async ({ threadId }, context) => {
  await (await openUpkeep(context)).unarchive(threadId);
  const stored = await (await context.openStore()).load(threadId);
  const thread = describeStored(stored, [], context);
  return {
    result: { thread },
    after: () => context.client.notify({ method: "thread/unarchived", params: { threadId } }),
  };
});

export const deleteThread = defineMethod("thread/delete", async ({ threadId }, context) => {
  const { audience } = context.threads.all.get(threadId) ?? {};
  await context.threads.close(threadId);
  await (await openUpkeep(context)).remove(threadId);
  const told = { method: "thread/deleted", params: { threadId } } as const;
  return { result: {}, after: () => audience?.tell([told]) };
});

export const nameThread = defineMethod("thread/name/set", async ({ threadId, name }, { threads }) => {
  threads.find(threadId).rename(name);
  return { result: {} };
});

export const compactThread = defineMethod("thread/compact/start", async ({ threadId }, { threads }) => {
  const { release } = await threads.find(threadId).compact();
  return { result: {}, after: release };
});

async function openUpkeep({ io, loadConfig }: MethodContext): ReturnType<typeof openProgramUpkeep> {
  return openProgramUpkeep((await loadConfig(null)).codexHome, io);
}
