import pg from "pg";
import type { QueueServer } from "../parse-queue-url.ts";
import { schema } from "../queue-schema.ts";
import { SteadyClient } from "./steady-client.ts";
import { answerMs, type JobPlace, type ServerAccess } from "./server-access.ts";
import { cancelMark } from "./cancel-mark.ts";

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
const selectCancelled = `
  select queue as "queueName", id as "jobId" from ${schema}.job
  where (queue, id) in (select * from unnest($1::text[], $2::text[])) and progress = $3::jsonb`;

export function openPostgresAccess(connection: Extract<QueueServer, { type: "postgres" }>["connection"]): ServerAccess {
  const times = { connectionTimeoutMillis: answerMs, query_timeout: answerMs };
  const pool = new pg.Pool({ ...connection, ...times, max: 1, Client: SteadyClient });
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
    async findCancelled(jobs) {
      const places = [jobs.map(({ queueName }) => queueName), jobs.map(({ jobId }) => jobId)];
      const { rows } = await pool.query<JobPlace>(selectCancelled, [...places, JSON.stringify(cancelMark)]);
      return rows;
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
