import pg from "pg";
import type { QueueServer } from "../parse-queue-url.ts";
import { schema } from "../queue-schema.ts";
import type { ServerClock } from "../server-clock.ts";

const serverNow = "(extract(epoch from clock_timestamp()) * 1000)::bigint";
const repairLocks = `
  update ${schema}.job set locked_until_ms = ${serverNow} + $2::bigint
  where queue = $1 and state = 'active' and locked_until_ms > ${serverNow} + 2 * $2::bigint`;
const repairDelays = `
  update ${schema}.job set process_at_ms = ${serverNow} + delay_ms
  where queue = $1 and state = 'delayed' and process_at_ms > ${serverNow} + delay_ms + $2::bigint`;
/** The last look for workers that died: the next one comes later than that. */
const repairChecks = `
  update ${schema}.meta set value = ${serverNow}::text
  where queue = $1 and field = 'stalled-check' and value::bigint > ${serverNow} + $2::bigint`;
const repairRate = `
  update ${schema}.rate_limit set expire_at_ms = ${serverNow} where queue = $1 and expire_at_ms > ${serverNow} + 2 * $2::bigint`;
const answerMs = 10_000;

export function openPostgresClock(connection: Extract<QueueServer, { type: "postgres" }>["connection"]): ServerClock {
  const pool = new pg.Pool({ ...connection, max: 1, connectionTimeoutMillis: answerMs, query_timeout: answerMs });
  pool.on("error", () => {}); // the worker's own connections tell
  return {
    async readTime() {
      const { rows } = await pool.query<{ readonly now: string }>(`select ${serverNow} as now`);
      return Number(rows[0]?.now);
    },
    async repairTimes(queueName, { lockMs, rateMs }) {
      const run = (statement: string, ms: number): Promise<unknown> =>
        pool.query(statement, [queueName, Math.ceil(ms)]);
      for (const statement of [repairLocks, repairDelays, repairChecks]) await run(statement, lockMs);
      await run(repairRate, rateMs);
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
