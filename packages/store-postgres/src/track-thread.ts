import { createThreadSummary, type DraftFile } from "@unroll/rollout";
import type { Database } from "./database.ts";
import type { Lease } from "./lease.ts";
import { type HeldId, openAppendable, openReadable, replaceThread } from "./thread-bytes.ts";

interface HeldThread {
  readonly threadId: string;
  readonly lease: Lease;
  /** In bytes; 0: a new one. */
  readonly size: number;
  /** The thread that gets these bytes when they are published. Absent: this one is published itself. */
  readonly replaced?: HeldId;
}

const newline = 0x0a;
const readBytes = 1024 * 1024;

/**
 * The bytes of a held thread, whose row in the table of threads follows them: with its first publication, at the begin and end of each
 * turn, and when it is closed. The row is for lists only: all of it is in the bytes.
 */
export async function trackThread(
  database: Database,
  { threadId, lease, size, replaced }: HeldThread,
): Promise<DraftFile> {
  const { run, tables } = database;
  const file = openAppendable(database, threadId, lease);
  const summary = createThreadSummary();
  /** The thread that the row belongs to. */
  const own: HeldId = replaced ?? { threadId, lease };
  let rest = Buffer.alloc(0);
  /** How many bytes the summary has. */
  let added = 0;
  /** The facts in the row. */
  let saved = "";

  /** Bytes at a place that the summary has are a write that was tried again. */
  function add(bytes: Uint8Array, position: number): void {
    rest = Buffer.concat([rest, bytes.subarray(Math.max(0, added - position))]);
    added = Math.max(added, position + bytes.length);
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      summary.add(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
  }

  const describeUse = (): string => `${summary.facts().turns} ${summary.isInTurn}`;

  async function save(isUsed: boolean): Promise<void> {
    const facts = JSON.stringify(summary.facts(), toStorable);
    if (facts === saved && !isUsed) return;
    await run(
      `insert into ${tables.thread} as t (id, cwd, used_at, facts)
       select $1, $3::jsonb->>'cwd', clock_timestamp(), $3::jsonb from ${tables.head} where thread = $1 and token = $2
       on conflict (id) do update set facts = $3::jsonb, used_at = case when $4 then clock_timestamp() else t.used_at end`,
      [own.threadId, own.lease.token, facts, isUsed],
    );
    saved = facts;
  }

  const reading = openReadable(database, threadId, size);
  for (let at = 0; at < size;) {
    const buffer = Buffer.alloc(Math.min(size - at, readBytes));
    const { bytesRead } = await reading.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) break;
    add(buffer.subarray(0, bytesRead), at);
    at += bytesRead;
  }
  added -= rest.length; // a last line without its end is cut by the first write
  rest = Buffer.alloc(0);
  saved = JSON.stringify(summary.facts(), toStorable);
  let isPublished = size > 0;

  return {
    ...file,
    async write(bytes, position) {
      await file.write(bytes, position);
      const before = describeUse();
      add(bytes, position);
      if (isPublished && describeUse() !== before) await save(true);
    },
    async publish() {
      if (replaced !== undefined) await replaceThread(database, replaced, { threadId, lease });
      await save(replaced === undefined);
      isPublished = true;
    },
    async close() {
      if (isPublished && !own.lease.lost.aborted) await save(false);
    },
  };
}

/** `jsonb` has no NUL and no half of a surrogate pair. */
function toStorable(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : value;
}
