import { type AppendFile, type ReadableFile, ThreadStoreError } from "@unroll/rollout";
import type { Database } from "./database.ts";
import type { Lease } from "./lease.ts";
import { toBytes } from "./parse-rows.ts";

/** A row has at most so many bytes. */
const rowBytes = 1024 * 1024;
/** How much is read at once. */
const windowBytes = 4 * 1024 * 1024;

/** Reads the bytes of a thread, up to `size`. */
export function openReadable({ run, tables }: Database, threadId: string, size: number): ReadableFile {
  let window = { start: 0, bytes: Buffer.alloc(0) };

  async function fetch(position: number): Promise<void> {
    const rows = await run(
      `select at::float8 as at, bytes from ${tables.line}
       where thread = $1 and at < $3 and at >= coalesce((select max(at) from ${tables.line} where thread = $1 and at <= $2), 0) order by at`,
      [threadId, position, Math.min(size, position + windowBytes)],
    );
    window = { start: Number(rows[0]?.["at"] ?? position), bytes: Buffer.concat(rows.map(toBytes)) };
  }

  return {
    async read(buffer, ...[offset, length, position]) {
      const wanted = Math.min(length, size - position);
      if (wanted <= 0) return { bytesRead: 0 };
      const isThere = (): boolean => position >= window.start && position < window.start + window.bytes.length;
      if (!isThere()) await fetch(position);
      if (!isThere()) return { bytesRead: 0 };
      const start = position - window.start;
      return { bytesRead: window.bytes.copy(buffer, offset, start, start + wanted) };
    },
  };
}

/**
 * Writes behind the bytes of a held thread. One statement moves the end and adds the bytes, if the token is still ours and the end is
 * where the writer expects it. So a write that was done before its answer got lost is done once.
 */
export function openAppendable(database: Database, threadId: string, lease: Lease): AppendFile {
  const { run, tables } = database;
  const { head, line } = tables;

  async function append(bytes: Uint8Array, at: number): Promise<boolean> {
    const parts = cutRows(bytes, at);
    const added = await run(
      `with moved as (update ${head} set bytes = $4 where thread = $1 and token = $2 and bytes = $3 returning 1)
       insert into ${line} (thread, at, bytes)
       select $1, part.at, part.bytes from unnest($5::bigint[], $6::bytea[]) part(at, bytes) where exists (select from moved) returning 1`,
      [threadId, lease.token, at, at + bytes.length, parts.map((part) => part.at), parts.map((part) => part.bytes)],
    );
    return added.length > 0;
  }

  /** Drops what is behind `length`. */
  async function cut(length: number): Promise<void> {
    await run(
      `with moved as (update ${head} set bytes = $3 where thread = $1 and token = $2 and bytes > $3 returning 1),
       dropped as (delete from ${line} where thread = $1 and at >= $3 and exists (select from moved))
       update ${line} set bytes = substring(bytes from 1 for ($3 - at)::int)
       where thread = $1 and at < $3 and at + length(bytes) > $3 and exists (select from moved)`,
      [threadId, lease.token, length],
    );
  }

  return {
    async write(bytes, position) {
      if (bytes.length === 0) return;
      if (await append(bytes, position)) return;
      const [found] = await run(`select bytes::float8 as bytes, token from ${head} where thread = $1`, [threadId]);
      if (String(found?.["token"]) !== lease.token) throw lease.lose();
      const end = Number(found?.["bytes"]);
      if (end === position + bytes.length) return; // written before its answer got lost: nobody else has the token
      if (end > position) await cut(position);
      if (end > position && (await append(bytes, position))) return;
      const message = `The thread ${threadId} has ${end} bytes, and the next ones belong at ${position}.`;
      throw new ThreadStoreError("thread_unreadable", message);
    },
    truncate: () => Promise.resolve(), // a write drops what is behind its place
    sync: () => Promise.resolve(), // each statement is committed before it is answered
    close: () => Promise.resolve(),
  };
}

/** A thread that this process holds. */
export interface HeldId {
  readonly threadId: string;
  readonly lease: Lease;
}

/** Gives a thread the bytes of another one, which then has none. Done before its answer got lost, it is done once. */
export async function replaceThread({ run, tables }: Database, thread: HeldId, other: HeldId): Promise<void> {
  const { head, line } = tables;
  const moved = await run(
    `with made as (select o.bytes from ${head} o, ${head} t
       where o.thread = $3 and o.token = $4 and o.bytes > 0 and t.thread = $1 and t.token = $2),
     old as (delete from ${line} where thread = $1 and exists (select from made) returning 1),
     new as (update ${line} set thread = $1 where thread = $3 and exists (select from made)
       and (select count(*) from old) >= 0)
     update ${head} h set bytes = case when h.thread = $1 then made.bytes else 0 end from made where h.thread in ($1, $3) returning 1`,
    [thread.threadId, thread.lease.token, other.threadId, other.lease.token],
  );
  if (moved.length > 0) return;
  const [held] = await run(`select from ${head} where thread = $1 and token = $2`, [
    thread.threadId,
    thread.lease.token,
  ]);
  if (held === undefined) throw thread.lease.lose();
}

interface RowPart {
  readonly at: number;
  readonly bytes: Uint8Array;
}

function cutRows(bytes: Uint8Array, at: number): readonly RowPart[] {
  const parts: RowPart[] = [];
  for (let start = 0; start < bytes.length; start += rowBytes)
    parts.push({ at: at + start, bytes: Buffer.from(bytes.subarray(start, start + rowBytes)) });
  return parts;
}
