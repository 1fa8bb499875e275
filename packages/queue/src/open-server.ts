import type {
  ConnectionOptions,
  Job,
  PostgresConnectionOptions,
  Processor,
  Queue,
  Worker,
  WorkerOptions,
} from "bullmq";
import { parseQueueUrl, type QueueServer } from "./parse-queue-url.ts";
import { QueueError, toUnreachable } from "./queue-error.ts";
import { schema } from "./queue-schema.ts";
import type { ServerAccess } from "./server/server-access.ts";

/** A job of BullMQ: its data are parsed by `parseJobData`. */
export type TaskJob = Job<unknown, unknown>;

/** BullMQ's queue, on either server. */
export type JobQueue = Pick<
  Queue<unknown, unknown>,
  "addBulk" | "close" | "drain" | "getJob" | "getJobs" | "isPaused" | "pause" | "resume" | "waitUntilReady"
> & { on(event: "error", listener: (error: Error) => void): unknown };

/** BullMQ's worker, on either server. */
export type JobWorker = Pick<Worker<unknown, unknown>, "cancelJob" | "close" | "pause" | "run" | "waitUntilReady"> & {
  on(event: "completed" | "failed", listener: (job: TaskJob | undefined) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "lockRenewalFailed", listener: (jobIds: string[]) => void): unknown;
};

type JobWorkerOptions = Omit<WorkerOptions, "connection">;

/** BullMQ on one server. */
export interface QueueServerClient {
  readonly bullmq: typeof import("bullmq");
  /** A queue that has answered; it does not wait for a server that is away later. Throws `QueueError` `queue_unreachable`. */
  openQueue(name: string): Promise<JobQueue>;
  /**
   * A worker that has connected, and connects again by itself. It does not run yet. Throws `QueueError` `queue_unreachable`: BullMQ's
   * worker would ask a PostgreSQL that it never reached for ever, without a pause (6.7: it keeps the failure).
   */
  openWorker(name: string, process: Processor<unknown, unknown>, options: JobWorkerOptions): Promise<JobWorker>;
  openAccess(): Promise<ServerAccess>;
}

/** A server that is silent for so long while a client connects is away. */
const connectMs = 10_000;

/** Loads BullMQ and the driver for the server. Throws `QueueError`. */
export async function openServer(url: string): Promise<QueueServerClient> {
  const named = parseQueueUrl(url);
  const bullmq = await loadLibrary(named);
  const server = named.type === "redis" ? named : { ...named, options: await toPostgres(named.connection) };

  function createQueue(name: string): JobQueue {
    if (server.type === "redis") return new bullmq.Queue(name, { connection: toRedis(server.connection, "once") });
    return new bullmq.Queue(name, { connection: server.options }, bullmq.createPostgresBackend);
  }

  function createWorker(name: string, process: Processor<unknown, unknown>, options: JobWorkerOptions): JobWorker {
    if (server.type === "redis")
      return new bullmq.Worker(name, process, { ...options, connection: toRedis(server.connection, "always") });
    return new bullmq.Worker(name, process, { ...options, connection: server.options }, bullmq.createPostgresBackend);
  }

  return {
    bullmq,
    async openQueue(name) {
      return untilReady(createQueue(name));
    },
    async openWorker(name, process, options) {
      return untilReady(createWorker(name, process, { ...options, autorun: false }));
    },
    async openAccess() {
      if (server.type === "redis") return (await import("./server/redis-access.ts")).openRedisAccess(server.connection);
      return (await import("./server/postgres-access.ts")).openPostgresAccess(server.connection);
    },
  };
}

/** Closes it and throws `QueueError` `queue_unreachable` if it cannot connect. */
async function untilReady<Client extends JobQueue | JobWorker>(client: Client): Promise<Client> {
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {}); // only the first look waits for it
  client.on("error", failure.reject);
  const limit = AbortSignal.timeout(connectMs);
  limit.addEventListener("abort", () => failure.reject(new Error("It does not answer.")));
  try {
    await Promise.race([client.waitUntilReady(), failure.promise]);
    return client;
  } catch (error) {
    const closed = client.close().catch(() => {}); // it never was open
    if (!limit.aborted) await closed; // else it waits for the server
    throw toUnreachable(error);
  }
}

async function loadLibrary({ type }: QueueServer): Promise<typeof import("bullmq")> {
  const driver = type === "redis" ? "ioredis" : "pg";
  try {
    await import(driver);
    return await import("bullmq");
  } catch (error) {
    throw new QueueError(
      "queue_url",
      `A queue on ${type === "redis" ? "Redis" : "PostgreSQL"} needs the packages bullmq and ${driver}. Install them beside unroll: npm install -g bullmq ${driver}`,
      { cause: error },
    );
  }
}

type RedisServer = Extract<QueueServer, { type: "redis" }>;
type PostgresServer = Extract<QueueServer, { type: "postgres" }>;

/** By default a client of Redis waits for ever for a server that is down: only a worker, which has time, does. */
function toRedis(connection: RedisServer["connection"], retries: "once" | "always"): ConnectionOptions {
  if (retries === "always") return { ...connection, maxRetriesPerRequest: null };
  return { ...connection, maxRetriesPerRequest: 1, retryStrategy: () => null };
}

async function toPostgres(connection: PostgresServer["connection"]): Promise<PostgresConnectionOptions> {
  const { SteadyClient: Client } = await import("./server/steady-client.ts");
  return { ...connection, schema, migrate: true, Client };
}
