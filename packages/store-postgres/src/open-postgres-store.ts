import { readGitFacts } from "@unroll/files";
import type { Clock } from "@unroll/flow";
import type { ThreadStore } from "@unroll/protocol";
import { type DraftFile, openThreadStoreOn, type ThreadFiles, ThreadStoreError, toExistsError } from "@unroll/rollout";
import { type Database, openDatabase } from "./database.ts";
import { type Lease, takeLease } from "./lease.ts";
import { listThreads } from "./list-threads.ts";
import { type HoldThread, openUpkeep } from "./open-upkeep.ts";
import { threadColumns, toFound } from "./parse-rows.ts";
import { openReadable } from "./thread-bytes.ts";
import { trackThread } from "./track-thread.ts";

/** The server of the threads, and who uses them. */
export interface PostgresStoreOptions {
  /** `postgres://…`; what it lacks comes from PGPASSWORD, .pgpass and the like. */
  readonly url: string;
  readonly clock: Clock;
  /** Names this process in messages. A process of the same name may take a thread over at once: workers that never run one thread twice. */
  readonly holder: string;
  /** In ms: how long a process that ended without a word keeps its threads; default 30 s. */
  readonly leaseMs?: number;
  /** The schema of its tables; default `unroll`. */
  readonly schema?: string;
}

/** Threads in PostgreSQL: the bytes of each are those of its file in `@unroll/rollout`. */
export type PostgresStore = ThreadStore & AsyncDisposable;

const defaultLeaseMs = 30_000;

/** Connects, and makes the tables where there are none. Throws `PostgresStoreError`. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { url, clock, holder, leaseMs = defaultLeaseMs, schema = "unroll" } = options;
  const database = await openDatabase({ url, clock, schema });
  const files = createFiles(database, (threadId) => takeLease(threadId, { database, clock, holder, leaseMs }));
  return {
    ...openThreadStoreOn(files, clock),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

function createFiles(database: Database, take: (threadId: string) => Promise<Lease>): ThreadFiles {
  const { run, place, tables } = database;
  /** The leases of this process, by their threads. */
  const leases = new Map<string, Lease>();

  async function find(id: string): ReturnType<ThreadFiles["find"]> {
    const rows = await run(
      `select ${threadColumns} from ${tables.thread} t join ${tables.head} h on h.thread = t.id
       where t.id >= $1 and t.id < $2 order by t.id limit 2`,
      [id, `${id}\u{10ffff}`],
    );
    const [first, second] = rows.map((row) => toFound(row, place));
    if (first === undefined) throw new ThreadStoreError("thread_missing", `There is no thread ${id} in ${place}.`);
    if (second === undefined || first.threadId === id) return first;
    throw new ThreadStoreError("thread_ambiguous", `Several threads begin with ${id}: give more of the id.`);
  }

  async function hold(threadId: string): Promise<Lease> {
    if (leases.has(threadId))
      throw new ThreadStoreError("thread_locked", `The thread ${threadId} is open in this process already.`);
    const lease = await take(threadId);
    leases.set(threadId, lease);
    return {
      ...lease,
      async [Symbol.asyncDispose]() {
        leases.delete(threadId);
        await lease[Symbol.asyncDispose]();
      },
    };
  }

  function findLease(threadId: string): Lease {
    const lease = leases.get(threadId);
    if (lease === undefined) throw new Error(`The thread ${threadId} is not held.`);
    return lease;
  }

  const whileHeld: HoldThread = async (id, use) => {
    const { threadId } = await find(id);
    await using lease = await hold(threadId);
    return await use({ ...(await find(threadId)), token: lease.token });
  };

  async function redraft(threadId: string): Promise<DraftFile> {
    const replaced = { threadId, lease: findLease(threadId) };
    const partId = `part of ${threadId}`;
    const lease = await take(partId);
    const draft = await trackThread(database, { threadId: partId, lease, size: 0, replaced });
    const close = async (): Promise<void> => {
      await using _ = lease;
      await draft.close();
    };
    return { ...draft, close };
  }

  return {
    find,
    hold,
    readGit: readGitFacts,
    read: async (threadId) => openReadable(database, threadId, (await find(threadId)).size),
    async open(threadId) {
      const { size } = await find(threadId);
      return trackThread(database, { threadId, lease: findLease(threadId), size });
    },
    async create(threadId) {
      const lease = findLease(threadId);
      const found = await find(threadId).catch(() => null); // none, or several begin so
      if (found?.threadId === threadId) throw toExistsError(threadId, found.place);
      return trackThread(database, { threadId, lease, size: 0 });
    },
    list: (query = {}) => listThreads(database, query),
    upkeep: { ...openUpkeep(database, whileHeld, find), redraft },
  };
}
