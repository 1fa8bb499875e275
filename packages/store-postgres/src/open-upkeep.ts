import type { CollectedThread, CollectQuery } from "@unroll/protocol";
import { type ThreadFiles, ThreadStoreError } from "@unroll/rollout";
import type { Database, Row } from "./database.ts";
import { threadColumns, toFound, toSummary } from "./parse-rows.ts";

type Held = Awaited<ReturnType<ThreadFiles["find"]>> & { readonly token: string };

/** Runs `use` while the thread is held. */
export type HoldThread = <Result>(id: string, use: (thread: Held) => Promise<Result>) => Promise<Result>;

/** Archives, deletes and collects threads. */
export function openUpkeep(
  database: Database,
  hold: HoldThread,
  find: ThreadFiles["find"],
): Omit<ThreadFiles["upkeep"], "redraft"> {
  const { run, place, tables } = database;
  const { thread, head, line } = tables;

  async function setArchived({ threadId, place: at }: Held, isArchived: boolean): ReturnType<typeof find> {
    await run(`update ${thread} set archived_at = case when $2 then now() end where id = $1`, [threadId, isArchived]);
    return { ...(await find(threadId)), place: at };
  }

  async function remove({ threadId, token }: Held): Promise<void> {
    await run(
      `with held as (select from ${head} where thread = $1 and token = $2),
       lines as (delete from ${line} where thread = $1 and exists (select from held))
       delete from ${thread} where id = $1 and exists (select from held)`,
      [threadId, token],
    );
    await run(`update ${head} set bytes = 0 where thread = $1 and token = $2`, [threadId, token]); // then its lease ends with it
  }

  return {
    find,
    archive: (id) =>
      hold(id, (held) => {
        if (!held.isArchived) return setArchived(held, true);
        throw new ThreadStoreError("thread_archived", `The thread ${held.threadId} is archived already.`);
      }),
    unarchive: (id) =>
      hold(id, (held) => {
        if (held.isArchived) return setArchived(held, false);
        throw new ThreadStoreError("thread_missing", `The thread ${held.threadId} is not archived.`);
      }),
    remove: (id) =>
      hold(id, async (held) => {
        await remove(held);
        return held;
      }),
    removeUnused: (id, usedAt) =>
      hold(id, async (held) => {
        if ((held.usedAt ?? Infinity) > usedAt) return false;
        await remove(held);
        return true;
      }),
    async *collect(query) {
      for (const row of await readUnused(database, query)) yield toCollected(row, place);
    },
    async listOpen() {
      const rows = await run(
        `select h.thread from ${head} h join ${thread} t on t.id = h.thread where h.holder is not null and h.held_until > clock_timestamp()`,
      );
      return rows.map((row) => ({ threadId: String(row["thread"]), pid: null }));
    },
    async sweep() {
      const rows = await run(
        `with unmade as (delete from ${head} h where (h.holder is null or h.held_until < clock_timestamp())
           and not exists (select from ${thread} t where t.id = h.thread) returning h.thread),
         lines as (delete from ${line} where thread in (select thread from unmade))
         select thread from unmade`,
      );
      return rows.length;
    },
    async check() {
      const [row] = await run(`select current_setting('synchronous_commit') as commit, nextval('${tables.token}')`);
      const isLoose = row?.["commit"] === "off";
      const warning = "synchronous_commit is off: a crash of the server may lose what a thread has recorded.";
      return { place, warning: isLoose ? warning : null };
    },
  };
}

function readUnused({ run, tables }: Database, { usedBefore, archived }: CollectQuery): Promise<readonly Row[]> {
  return run(
    `select ${threadColumns} from ${tables.thread} t join ${tables.head} h on h.thread = t.id
     where (extract(epoch from t.used_at) * 1000)::float8 < $1::float8 and ($2 or t.archived_at is null)
     and (h.holder is null or h.held_until < clock_timestamp()) order by t.used_at, t.id`,
    [String(usedBefore), archived],
  );
}

function toCollected(row: Row, place: string): CollectedThread {
  const { threadId, size, usedAt, isArchived, place: at } = toFound(row, place);
  return { threadId, size, usedAt: usedAt ?? 0, isArchived, place: at, summary: toSummary(row) };
}
