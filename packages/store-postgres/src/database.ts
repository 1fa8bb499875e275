import type { Clock } from "@unroll/flow";
import { describeServerFailure, describeThrown } from "@unroll/text";
import pg from "pg";
import { PostgresStoreError } from "./postgres-store-error.ts";
import { createTables, toTables, type Tables, tablesVersion } from "./tables.ts";

/** Rows by the names of their columns. */
export type Row = Readonly<Record<string, unknown>>;

/** The tables of one store. */
export interface Database extends AsyncDisposable {
  readonly tables: Tables;
  /** The URL without user and password. */
  readonly place: string;
  /**
   * Runs one statement, which is a transaction. Where the connection breaks, it is run again: each statement of this package may run
   * twice. Throws `PostgresStoreError` `store_unreachable` when the server stays away.
   */
  readonly run: (statement: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly schema: string;
}

/** How often a statement is tried, with twice the wait each time: about 13 s, less than a lease. */
const mostTries = 8;
const firstWaitMs = 100;
/** The same for the first statement: a server that is not there is an error soon. */
const openingTries = 2;
const connectMs = 10_000;
/** A server that is silent for so long is away. */
const answerMs = 20_000;

/** Connects, and makes the tables where there are none. */
export async function openDatabase({ url, clock, schema }: DatabaseOptions): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "unroll",
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
    allowExitOnIdle: true,
  });
  pool.on("error", () => {}); // an idle connection broke: the next statement gets another one
  pool.on("connect", (client) => client.on("error", () => {})); // one that is in use tells its statement
  const tables = toTables(schema);
  const place = toPlace(url);
  const createRun =
    (tries: number): Database["run"] =>
    async (statement, values = []) => {
      for (let count = 1; ; count += 1)
        try {
          const { rows } = await pool.query<Row>(statement, values.length === 0 ? undefined : [...values]);
          return rows;
        } catch (error) {
          if (!isPassing(error)) throw error;
          if (count === tries) throw toUnreachable(place, error);
          await clock.sleep(firstWaitMs * 2 ** (count - 1), new AbortController().signal);
        }
    };
  try {
    await prepare(createRun(openingTries), tables);
  } catch (error) {
    await pool.end();
    throw error instanceof PostgresStoreError ? error : toUnreachable(place, error);
  }
  return {
    tables,
    place,
    run: createRun(mostTries),
    async [Symbol.asyncDispose]() {
      if (!pool.ended) await pool.end();
    },
  };
}

async function prepare(run: Database["run"], tables: Tables): Promise<void> {
  const { version, oldestClient } = await readVersions(run, tables);
  if (oldestClient > tablesVersion) {
    const message = `A newer version of unroll has changed the tables of ${tables.schema} (${oldestClient}, this one knows ${tablesVersion}). Update unroll here.`;
    throw new PostgresStoreError("store_newer", message);
  }
  if (version >= tablesVersion) return;
  try {
    await run(createTables(tables)); // several statements in one message are one transaction
  } catch (error) {
    if (version === 0 || readCode(error) !== notAllowed) throw error; // older tables serve until their owner opens the store
  }
}

interface Versions {
  /** The version of the tables; 0: there are none. */
  readonly version: number;
  /** That a client must know at least. */
  readonly oldestClient: number;
}

async function readVersions(run: Database["run"], { meta }: Tables): Promise<Versions> {
  try {
    const [row] = await run(`select version, min_client from ${meta}`);
    return { version: Number(row?.["version"] ?? 0), oldestClient: Number(row?.["min_client"] ?? 0) };
  } catch (error) {
    if (isMissing(error)) return { version: 0, oldestClient: 0 };
    throw error;
  }
}

/** The user may not change the tables. */
const notAllowed = "42501";

function readCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** No such schema or table. */
function isMissing(error: unknown): boolean {
  return ["3F000", "42P01"].includes(readCode(error));
}

/** Classes and codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html) and of the system. */
const passingCodes = /^(08|57P|40001|40P01|53300|E(CONN|PIPE|TIMEDOUT|NOENT|HOST|AI_AGAIN|NETUNREACH))/;

/** `pg` gives a broken connection no code. */
const passingMessages =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded)/;

/** Whether the same statement may succeed soon. */
function isPassing(error: unknown): boolean {
  return passingCodes.test(readCode(error)) || passingMessages.test(describeThrown(error));
}

function toUnreachable(place: string, cause: unknown): PostgresStoreError {
  return new PostgresStoreError(
    "store_unreachable",
    `The store of threads at ${place}: ${describeServerFailure(cause)}`,
    { cause },
  );
}

/** Without user, password and parameters. */
function toPlace(url: string): string {
  const [, scheme = "postgres", rest = ""] = /^([a-z]+):\/\/([^?]*)/.exec(url) ?? [];
  return `${scheme}://${rest.slice(rest.lastIndexOf("@") + 1)}`;
}
