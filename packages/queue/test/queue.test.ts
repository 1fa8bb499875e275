import { once } from "node:events";
import { randomUUIDv7 } from "node:crypto";
import type { BatchTask, TaskOutcome, TaskRunner } from "@unroll/batch";
import { forEach } from "@unroll/flow";
import { noTokenUsage } from "@unroll/protocol";
import {
  openTaskQueue,
  type QueuedTask,
  runWorker,
  type TaskQueue,
  type WorkerEvent,
  type WorkerOptions,
  type WorkerSummary,
} from "@unroll/queue";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clock } from "./test-clock.ts";
import { serverKinds, startPostgres, startRedis, type TestServer } from "@unroll/scripted-model/fixture/servers";

const task = (id: string): BatchTask => ({ id, prompt: `Do ${id}` });
const done: TaskOutcome = {
  status: "completed",
  finalMessage: "Done.",
  value: null,
  usage: noTokenUsage,
  cost: 0.5,
  uncachedCost: null,
  changes: null,
  error: null,
};
const failed = (code: string): TaskOutcome => ({
  ...done,
  status: "failed",
  finalMessage: null,
  error: { code, message: `It is ${code}.` },
});

/** A worker's looks at its server and at what was cancelled come twenty times as often. Locks keep their length: a busy machine is slow. */
const quick: WorkerOptions["clock"] = { ...clock, sleep: (ms, signal) => clock.sleep(ms / 20, signal) };
const forEver = 2 ** 30;

/** Runs a worker until `count` tasks have ended. */
async function work(
  options: Omit<WorkerOptions, "clock"> & Partial<Pick<WorkerOptions, "clock">>,
  count: number,
): Promise<{ readonly events: readonly WorkerEvent[]; readonly summary: WorkerSummary }> {
  const stop = new AbortController();
  const events: WorkerEvent[] = [];
  let ended = 0;
  const summary = await forEach(
    runWorker({
      clock,
      drainMs: forEver,
      ...options,
      drain: AbortSignal.any([stop.signal, options.drain ?? stop.signal]),
    }),
    (event) => {
      events.push(event);
      if (event.type === "task.ended") ended += 1;
      if (ended === count) stop.abort();
    },
  );
  return { events, summary };
}

const kinds = [
  ["redis", startRedis],
  ["postgres", startPostgres],
] as const;

describe.each(kinds)("a queue on %s", (kind, start) => {
  const isMissing = serverKinds[kind] !== null;
  let server: TestServer;
  let names = 0;
  beforeAll(async () => {
    if (!isMissing) server = await start();
  });
  afterAll(async () => {
    if (!isMissing) await server[Symbol.asyncDispose]();
  });
  const open = async (): Promise<{ readonly queue: TaskQueue; readonly place: { url: string; name: string } }> => {
    const place = { url: server.url, name: `q${(names += 1)}` };
    return { queue: await openTaskQueue(place), place };
  };
  const newId = (): string => randomUUIDv7();

  test.skipIf(isMissing)("a task is added once, runs, and leaves its result", async () => {
    const { queue, place } = await open();
    await using _ = queue;
    const tasks = [task("a:1"), task("b")];
    expect(await queue.add(tasks, { newId })).toEqual({ added: ["a:1", "b"], known: [] });
    expect(await queue.add(tasks, { newId })).toEqual({ added: [], known: ["a:1", "b"] });
    await expect(queue.add([{ ...task("b"), prompt: "Other" }], { newId })).rejects.toThrow(
      "another task with the id b",
    );
    const runner: TaskRunner = { run: async ({ id }) => (id === "b" ? failed("model_error") : done) };
    const { summary } = await work({ ...place, runner }, 2);
    expect(summary).toEqual({ completed: 1, failed: 1, returned: 0, stopped: null });
    const listed: QueuedTask[] = [];
    for await (const each of queue.list(["completed", "failed"])) listed.push(each);
    expect(
      listed.map(({ id, state, result }) => ({ id, state, status: result?.status, code: result?.error?.code })),
    ).toEqual([
      { id: "a:1", state: "completed", status: "completed", code: undefined },
      { id: "b", state: "failed", status: "failed", code: "model_error" },
    ]);
  });

  test.skipIf(isMissing)(
    "a task that fails runs again in another thread, as often as it may and when you ask for it",
    async () => {
      const { queue, place } = await open();
      await using _ = queue;
      await queue.add([task("a")], { newId, attempts: 1 });
      const threads: (string | undefined)[] = [];
      let code: string | null = "model_error";
      const runner: TaskRunner = {
        async run(_task, { begun }) {
          threads.push(begun?.threadId);
          return code === null ? done : failed(code);
        },
      };
      await work({ ...place, runner }, 1);
      expect(await queue.find("a")).toMatchObject({ state: "failed", threadId: threads[0] });
      expect(await queue.retry("a")).toBe(true);
      code = null;
      await work({ ...place, runner }, 1);
      expect(await queue.retry("a")).toBe(false);
      expect(await queue.find("a")).toMatchObject({ state: "completed", threadId: threads[1] });
      expect(new Set(threads).size).toBe(2);
      for (const thread of threads)
        expect(thread).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    },
  );

  test.skipIf(isMissing)(
    "a task whose worker stops, or cannot open or keep its thread, is continued in the same thread",
    async () => {
      const { queue, place } = await open();
      await using _ = queue;
      await queue.add([task("a")], { newId });
      const threads: (string | undefined)[] = [];
      const stop = new AbortController();
      const waits: TaskRunner = {
        async run(_task, { begun, signal }) {
          threads.push(begun?.threadId);
          stop.abort();
          await untilAborted(signal);
          return failed("interrupted");
        },
      };
      const first = await work({ ...place, runner: waits, signal: stop.signal, againMs: 1 }, 1);
      expect(first.summary).toEqual({ completed: 0, failed: 0, returned: 1, stopped: null });
      expect(await queue.status()).toMatchObject({ delayed: 1, active: 0 });
      const refusals = ["thread_locked", "thread_newer", "thread_lost", "journal_failed", "store_unreachable"];
      const runner: TaskRunner = {
        async run(_task, { begun }) {
          threads.push(begun?.threadId);
          const code = refusals.shift();
          return code === undefined ? done : failed(code);
        },
      };
      const second = await work({ ...place, runner, againMs: 1 }, 1);
      const reasons = second.events.flatMap((event) => (event.type === "task.returned" ? [event.reason] : []));
      expect(reasons).toEqual([
        "Another process has its thread.",
        "It is thread_newer.",
        "This worker could not keep its thread.",
        "It is journal_failed.",
        "It is store_unreachable.",
      ]);
      expect(second.summary).toEqual({ completed: 1, failed: 0, returned: 0, stopped: null });
      expect(threads).toHaveLength(7);
      expect(new Set(threads).size).toBe(1);
    },
  );

  test.skipIf(isMissing)("a task whose runner has a fault fails with its message", async () => {
    const { queue, place } = await open();
    await using _ = queue;
    await queue.add([task("a")], { newId });
    const stop = new AbortController();
    const runner: TaskRunner = {
      async run() {
        stop.abort();
        throw new TypeError("It has no thread.");
      },
    };
    const { summary } = await work({ ...place, runner, drain: stop.signal }, 1);
    expect(summary).toMatchObject({ completed: 0, failed: 1, returned: 0 });
    expect(await queue.status()).toMatchObject({ failed: 1, active: 0, delayed: 0 });
  });

  test.skipIf(isMissing)("tasks are cancelled while they wait and while they run", async () => {
    const { queue, place } = await open();
    await using _ = queue;
    await queue.add([task("a")], { newId, attempts: 3 });
    await queue.add([task("b")], { newId, delayMs: 3_600_000 });
    expect(await queue.cancel("b")).toBe("removed");
    expect(await queue.cancel("b")).toBe("missing");
    const runner: TaskRunner = {
      async run(_task, { signal }) {
        expect(await queue.cancel("a")).toBe("stopping");
        await untilAborted(signal);
        return failed("interrupted");
      },
    };
    const { events, summary } = await work({ ...place, runner, clock: quick }, 1);
    expect(events.at(-2)).toMatchObject({ type: "task.ended", result: { error: { code: "cancelled" } } });
    expect(summary).toEqual({ completed: 0, failed: 1, returned: 0, stopped: null });
    expect((await queue.find("a"))?.result?.error).toEqual({ code: "cancelled", message: "You cancelled the task." });
    expect(await queue.cancel("a")).toBe("ended");
    expect(await queue.retry("a")).toBe(true);
    const looked = createSteps();
    const sleep: typeof quick.sleep = async (ms, signal) => quick.sleep(ms, signal).then(looked.step);
    const again: TaskRunner = {
      async run(_task, { signal }) {
        await looked.passed(6);
        return signal.aborted ? failed("interrupted") : done;
      },
    };
    const retried = await work({ ...place, runner: again, clock: { ...quick, sleep } }, 1);
    expect(retried.summary).toEqual({ completed: 1, failed: 0, returned: 0, stopped: null });
  });

  test.skipIf(isMissing)("cancelling a task leaves one with the same id in another queue alone", async () => {
    const { queue, place } = await open();
    await using _ = queue;
    await using own = await openTaskQueue({ ...place, host: "one" });
    for (const each of [queue, own]) await each.add([task("a")], { newId });
    let started = 0;
    const both = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const runner: TaskRunner = {
      async run(_task, { signal }) {
        if ((started += 1) === 2) both.resolve();
        await Promise.race([untilAborted(signal), ended.promise]);
        ended.resolve();
        return signal.aborted ? failed("interrupted") : done;
      },
    };
    const worked = work({ ...place, host: "one", runner, clock: quick }, 2);
    await both.promise;
    expect(await own.cancel("a")).toBe("stopping");
    expect((await worked).summary).toMatchObject({ completed: 1, failed: 1 });
    expect((await own.find("a"))?.result?.error?.code).toBe("cancelled");
    expect(await queue.find("a")).toMatchObject({ state: "completed" });
  });

  test.skipIf(isMissing)("a worker that no task can get past stops, and its tasks stay", async () => {
    const { queue, place } = await open();
    await using _ = queue;
    await queue.add([task("a")], { newId });
    const { summary } = await work({ ...place, runner: { run: async () => failed("unauthorized") } }, 1);
    expect(summary).toMatchObject({ returned: 1, stopped: { code: "unauthorized" } });
    expect(await queue.status()).toMatchObject({ delayed: 1, failed: 0, paused: false });
    await queue.add([task("b")], { newId });
    await queue.pause();
    expect(await queue.status()).toMatchObject({ waiting: 1, delayed: 1, paused: true });
    expect(await queue.drain()).toBe(2);
    await queue.resume();
    expect(await queue.status()).toMatchObject({ waiting: 0, delayed: 0, paused: false });
  });

  test.skipIf(isMissing)("tasks of a host are taken by workers of that host, and those of all by any", async () => {
    const { queue, place } = await open();
    await using _ = queue;
    await using own = await openTaskQueue({ ...place, host: "one" });
    await own.add([task("a")], { newId });
    await queue.add([task("b")], { newId });
    const runner: TaskRunner = { run: async () => done };
    expect((await work({ ...place, host: "two", runner }, 1)).summary.completed).toBe(1);
    expect(await own.status()).toMatchObject({ waiting: 1 });
    expect((await work({ ...place, host: "one", runner }, 1)).summary.completed).toBe(1);
  });

  test.skipIf(isMissing)(
    "a worker whose clock is wrong takes no task, and one that becomes wrong gives its task back",
    async () => {
      const { queue, place } = await open();
      await using _ = queue;
      await queue.add([task("a")], { newId });
      let aheadMs = 3_600_000;
      const wrong = { ...quick, now: () => Date.now() + aheadMs };
      const runner: TaskRunner = {
        async run(_task, { signal }) {
          aheadMs = -3_600_000;
          await untilAborted(signal);
          return failed("interrupted");
        },
      };
      const options = { ...place, runner, clock: wrong };
      await expect(work(options, 1)).rejects.toThrow("3600 s ahead of that of the queue's server");
      aheadMs = 0;
      const { summary } = await work(options, 1);
      expect(summary).toMatchObject({ returned: 1, stopped: { code: "queue_clock" } });
      expect(await queue.status()).toMatchObject({ waiting: 1, delayed: 0, active: 0 });
    },
  );

  test.skipIf(isMissing)(
    "a task whose workers died twenty times fails, and one that a newer version wrote waits for it",
    async () => {
      const { queue, place } = await open();
      await using _ = queue;
      await queue.add([task("a"), task("b")], { newId });
      await changeJob(place, "a", { deaths: 20 });
      await changeJob(place, "b", { deaths: 0, member: "later" });
      const ran: string[] = [];
      const runner: TaskRunner = {
        async run({ id }) {
          ran.push(id);
          return done;
        },
      };
      const stop = new AbortController();
      const reasons: string[] = [];
      const worker = runWorker({ ...place, clock, runner, concurrency: 1, drain: stop.signal }); // "a" comes first
      await forEach(worker, (event) => {
        if (event.type !== "task.returned") return;
        reasons.push(event.reason);
        stop.abort();
      });
      expect({ ran, reasons }).toEqual({
        ran: [],
        reasons: ["The task b in the queue was written by another version of unroll. Update this worker."],
      });
      expect((await queue.find("a"))?.result?.error).toMatchObject({ code: "task_poison" });
      expect(await queue.status()).toMatchObject({ failed: 1, delayed: 1 });
    },
  );

  test.skipIf(isMissing)("a task larger than a job may be is refused, and none is added", async () => {
    const { queue } = await open();
    await using _ = queue;
    const large = { id: "b", prompt: "x".repeat(70_000) };
    await expect(queue.add([task("a"), large], { newId })).rejects.toThrow("The task b has 70108 bytes of JSON");
    expect(await queue.status()).toMatchObject({ waiting: 0 });
  });
});

/** Changes a job behind BullMQ's back: how many workers have died with it, and a member of its data that no version here knows. */
async function changeJob(
  { url, name }: { readonly url: string; readonly name: string },
  taskId: string,
  { deaths, member }: { readonly deaths: number; readonly member?: string },
): Promise<void> {
  const id = `t-${Buffer.from(taskId).toString("base64url")}`;
  const more = member === undefined ? {} : { [member]: true };
  if (url.startsWith("unix:")) {
    const redis = new Redis({ path: url.slice("unix://".length) });
    const key = `bull:${name}:${id}`;
    const data: unknown = JSON.parse((await redis.hget(key, "data")) ?? "{}");
    await redis.hset(key, { stc: deaths, data: JSON.stringify({ ...Object(data), ...more }) });
    redis.disconnect();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "update unroll_queue.job set stalled_count = $3, data = data || $4::jsonb where queue = $1 and id = $2",
    [name, id, deaths, JSON.stringify(more)],
  );
  await client.end();
}

test.each([
  ["redis://user:sesame@127.0.0.1:1/0", "queue_unreachable"],
  ["postgres://user:sesame@127.0.0.1:1/none", "queue_unreachable"],
  ["mysql://user:sesame@127.0.0.1/none", "queue_url"],
  ["sesame", "queue_url"],
])("a queue that cannot be opened says so, and shows no password: %s", async (url, code) => {
  const error: unknown = await openTaskQueue({ url }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "QueueError", code });
  expect(String(error)).not.toContain("sesame");
});

/** Counts steps; a reader waits until so many more have passed. */
function createSteps(): { readonly step: () => void; readonly passed: (count: number) => Promise<void> } {
  const target = new EventTarget();
  return {
    step: () => target.dispatchEvent(new Event("step")),
    async passed(count) {
      for (let left = count; left > 0; left -= 1) await once(target, "step");
    },
  };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
