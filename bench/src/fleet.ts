import { randomUUIDv7 } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BatchTask, createThreadRunner, runBatch, type TaskRunner } from "@unroll/batch";
import type { Clock } from "@unroll/flow";
import { createClock, openHarness } from "@unroll/harness";
import { nodeHost } from "@unroll/harness/node";
import type { ThreadStore } from "@unroll/protocol";
import { openTaskQueue, runWorker } from "@unroll/queue";
import { openThreadStore } from "@unroll/rollout";
import { type Responder, startScriptedModel } from "@unroll/scripted-model";
import { serverKinds, startPostgres, startRedis } from "@unroll/scripted-model/fixture/servers";
import { openPostgresStore } from "@unroll/store-postgres";
import { defineTool } from "@unroll/tools";
import * as z from "zod";
import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { interleave, median } from "./statistics.ts";

export const name = "fleet";

const callsPerTask = 10;
/** Tasks at once, and tasks. */
const sizes = [
  [1, 10],
  [8, 80],
] as const;

interface Servers {
  readonly postgres: string;
  readonly redis: string;
}

/** Tasks of ten calls each, of a tool that does nothing, for a model that answers at once: what a store and a queue add to each call. */
export async function run({ rounds }: BenchOptions): Promise<BenchResult> {
  const missing = serverKinds.redis ?? serverKinds.postgres;
  if (missing !== null) return { name: `${name} (skipped: ${missing})`, rows: [] };
  await using postgres = await startPostgres();
  await using redis = await startRedis();
  const servers = { postgres: postgres.url, redis: redis.url };
  const rows: BenchRow[] = [];
  for (const [jobs, tasks] of sizes) {
    const measured = await interleave(Math.min(rounds, 5), {
      "a batch, threads in files": () => measure(servers, { jobs, tasks, store: "files", queue: null }),
      "a batch, threads in PostgreSQL": () => measure(servers, { jobs, tasks, store: "postgres", queue: null }),
      "a worker of a queue in Redis, threads in PostgreSQL": () =>
        measure(servers, { jobs, tasks, store: "postgres", queue: "redis" }),
      "a worker of a queue in PostgreSQL, threads there, too": () =>
        measure(servers, { jobs, tasks, store: "postgres", queue: "postgres" }),
    });
    const values = Object.entries(measured).map(([label, times]) => ({ label, value: median(times) }));
    const base = values[0]?.value ?? 1;
    for (const { label, value } of values)
      rows.push({ label: `${label}; ${jobs} at once`, value, unit: "ms a call", ratio: value / base });
  }
  return { name, rows };
}

interface Variant {
  readonly jobs: number;
  readonly tasks: number;
  readonly store: "files" | "postgres";
  readonly queue: keyof Servers | null;
}

const respond: Responder = ({ input }) => {
  const done = input.filter((item) => Object(item).type === "function_call_output").length;
  return { items: [done < callsPerTask ? { call: "look", arguments: {} } : { text: "Done." }] };
};

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.strictObject({}),
  approval: "run",
  run: async () => "Nothing.",
});

let names = 0;

/** In ms a call, by the wall clock: all calls of all tasks, one after the other or side by side. */
async function measure(servers: Servers, { jobs, tasks, store: place, queue }: Variant): Promise<number> {
  await using model = await startScriptedModel({ respond });
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-fleet-"));
  const env = {
    PATH: process.env["PATH"],
    HOME: folder.path,
    CODEX_HOME: folder.path,
    OPENAI_API_KEY: "any",
    OPENAI_BASE_URL: model.url,
  };
  const host = nodeHost({ env });
  const clock = createClock(host);
  await using closing = new AsyncDisposableStack();
  const store: ThreadStore =
    place === "files"
      ? openThreadStore({ codexHome: folder.path, clock, pid: process.pid })
      : closing.use(
          await openPostgresStore({ url: servers.postgres, clock, holder: "bench", schema: `bench${(names += 1)}` }),
        );
  await using harness = await openHarness({ host: { ...host, cwd: folder.path }, store, config: { cwd: folder.path } });
  const runner = createThreadRunner({
    harness,
    store,
    priceOf: () => null,
    newId: () => host.newId(),
    openPlace: async () => ({ options: { tools: [look], builtins: [] } }),
  });
  const list = Array.from({ length: tasks }, (_, index) => ({ id: `t${index}`, prompt: "Go" }));
  const ms =
    queue === null
      ? await time(runBatch({ tasks: list, runner, clock, concurrency: jobs }))
      : await timeQueue({ url: servers[queue], name: `bench${(names += 1)}` }, { runner, clock, jobs, list });
  return ms / (tasks * callsPerTask);
}

async function time(events: AsyncGenerator<unknown>): Promise<number> {
  const began = performance.now();
  for await (const _ of events);
  return performance.now() - began;
}

interface QueueRun {
  readonly runner: TaskRunner;
  readonly clock: Clock;
  readonly jobs: number;
  readonly list: readonly BatchTask[];
}

/** From the start of the first task to the end of the last one. */
async function timeQueue(
  place: { url: string; name: string },
  { runner, clock, jobs, list }: QueueRun,
): Promise<number> {
  await using tasks = await openTaskQueue(place);
  await tasks.add(list, { newId: () => randomUUIDv7() });
  const drain = new AbortController();
  let [began, left] = [0, list.length];
  let ended = 0;
  for await (const { type } of runWorker({ ...place, runner, clock, concurrency: jobs, drain: drain.signal })) {
    if (type === "task.started" && began === 0) began = performance.now();
    if (type !== "task.ended") continue;
    left -= 1;
    ended = performance.now();
    if (left === 0) drain.abort();
  }
  return ended - began;
}
