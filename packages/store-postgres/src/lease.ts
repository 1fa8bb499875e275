import type { Clock } from "@unroll/flow";
import { type ThreadHold, ThreadStoreError } from "@unroll/rollout";
import type { Database } from "./database.ts";

/** A thread that this process holds until the lease ends, by the server's clock. */
export interface Lease extends ThreadHold {
  /** Each write is refused unless the thread still has it. */
  readonly token: string;
  readonly lost: AbortSignal;
  /** Another process has the thread. Returns the error for the writer. */
  lose(): ThreadStoreError;
}

export interface LeaseOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** The holder: the same name may take a thread over at once. */
  readonly holder: string;
  readonly leaseMs: number;
}

/** How often a lease is renewed while it lasts. */
const renewals = 3;
/** The part of a lease after which it counts as lost here, so that nothing runs when another process may begin. */
const safePart = 0.9;

/** Throws `ThreadStoreError` `thread_locked`. */
export async function takeLease(threadId: string, options: LeaseOptions): Promise<Lease> {
  const { database, clock, holder, leaseMs } = options;
  const { head, thread, token: tokens } = database.tables;
  let sentAt = clock.elapsed();
  const until = `clock_timestamp() + $3 * interval '1 ms'`;
  const [taken] = await database.run(
    `insert into ${head} as h (thread, bytes, token, holder, held_until) values ($1, 0, nextval('${tokens}'), $2, ${until})
     on conflict (thread) do update set token = nextval('${tokens}'), holder = $2, held_until = ${until}
     where h.holder is null or h.holder = $2 or h.held_until < clock_timestamp() returning token`,
    [threadId, holder, leaseMs],
  );
  if (taken === undefined) throw await refuse(threadId, database);
  const token = String(taken["token"]);
  const [lost, released] = [new AbortController(), new AbortController()];
  const ended = AbortSignal.any([lost.signal, released.signal]);

  function lose(): ThreadStoreError {
    const error = new ThreadStoreError(
      "thread_lost",
      `Another process has taken the thread ${threadId} over, or this one could not renew its lease in time. Nothing more is written here; resume the thread to continue.`,
    );
    lost.abort(error);
    return error;
  }

  let cancel = (): void => {};
  function renewed(at: number): void {
    cancel();
    sentAt = at;
    const leftMs = sentAt + leaseMs * safePart - clock.elapsed();
    cancel = clock.setTimer(Math.max(0, leftMs), () => void lose());
  }

  async function keep(): Promise<void> {
    for (;;) {
      await clock.sleep(leaseMs / renewals, ended);
      if (ended.aborted) return;
      const at = clock.elapsed();
      const kept = await database
        .run(
          `update ${head} set held_until = clock_timestamp() + $3 * interval '1 ms' where thread = $1 and token = $2 returning 1`,
          [threadId, token, leaseMs],
        )
        .catch(() => null); // the server is away: the timer ends the lease, unless a later try succeeds
      if (kept?.length === 0) lose();
      else if (kept !== null && !released.signal.aborted) renewed(at);
    }
  }

  renewed(sentAt);
  const keeping = keep();
  return {
    token,
    lost: lost.signal,
    lose,
    async [Symbol.asyncDispose]() {
      released.abort();
      cancel();
      await keeping;
      await database.run(
        `with freed as (update ${head} set holder = null, held_until = null where thread = $1 and token = $2)
         delete from ${head} where thread = $1 and token = $2 and bytes = 0 and not exists (select from ${thread} where id = $1)`,
        [threadId, token],
      );
    },
  };
}

async function refuse(threadId: string, { tables, run }: Database): Promise<ThreadStoreError> {
  const [found] = await run(`select holder from ${tables.head} where thread = $1`, [threadId]);
  const holder = found?.["holder"];
  const who = typeof holder === "string" ? `another process (${holder})` : "another process";
  const message = `The thread ${threadId} is open in ${who}. Close it there, read it here (unroll threads show ${threadId}), or continue in a copy (unroll fork ${threadId}).`;
  return new ThreadStoreError("thread_locked", message);
}
