import {
  type BatchEvent,
  type BatchOptions,
  type BatchSummary,
  type BatchTask,
  createThreadRunner,
  openBatchJournal,
  parseTasks,
  runBatch,
  type TaskContext,
  type TaskOutcome,
} from "@unroll/batch";
import { appendFile, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { noTokenUsage, type ThreadEvent, type ThreadStore, type TurnOutcome } from "@unroll/protocol";
import type { Thread } from "@unroll/harness";
import { expect, test } from "vitest";

const task = (id: string): BatchTask => ({ id, prompt: "x" });
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
  error: { code, message: `It is ${code}.` },
});

/** Time passes only while somebody sleeps. */
function createTestClock(): BatchOptions["clock"] & { readonly slept: readonly number[] } {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    elapsed: () => now,
    async sleep(ms) {
      slept.push(ms);
      await nextTick();
      now += ms;
    },
    setTimer: () => () => {},
  };
}

interface Ran {
  readonly events: readonly BatchEvent[];
  readonly summary: BatchSummary;
}

async function run(options: Omit<BatchOptions, "clock"> & Partial<Pick<BatchOptions, "clock">>): Promise<Ran> {
  const batch = runBatch({ clock: createTestClock(), ...options });
  const events: BatchEvent[] = [];
  for (;;) {
    const step = await batch.next();
    if (step.done) return { events, summary: step.value };
    events.push(step.value);
  }
}

test.each([
  ['{"id":"a","prompt":"x"}\n{"id":"a","prompt":"y"}', 't.jsonl, line 2: id: "a" is also the id of line 1.'],
  ['{"id":"a"', "t.jsonl, line 1 is not a JSON object."],
  ['\n{"id":"a","prompt":"x","sandbox":"read-only"}', "t.jsonl, line 2: sandbox: unknown field."],
  ['{"id":"a","promt":"x"}', "t.jsonl, line 1: promt: unknown field."],
  ['{"id":"a"}', "t.jsonl, line 1: prompt is missing."],
  ['{"id":1,"prompt":"x"}', "t.jsonl, line 1: id: must be of the type string."],
  ["7", "t.jsonl, line 1: a JSON object is expected."],
  ['{"id":"a","prompt":""}', "t.jsonl, line 1: prompt: must not be empty."],
  ['{"id":"a","prompt":"x","output_schema":{"type":"nothing"}}', "t.jsonl, line 1: output_schema"],
  ["", "t.jsonl has no tasks."],
])("a wrong list of tasks names file, line and field: %j", (text, message) => {
  expect(() => parseTasks(text, "t.jsonl")).toThrow(message);
});

test("10,000 lines are read, each once", () => {
  const text = Array.from({ length: 10_000 }, (_, id) => JSON.stringify({ id: `t${id}`, prompt: "x" })).join("\n");
  expect(parseTasks(text, "t.jsonl")).toHaveLength(10_000);
});

test("at most as many tasks run at once as you say, and results come in the order of completion", async () => {
  let running = 0;
  let most = 0;
  const gates = new Map(["a", "b", "c"].map((id) => [id, Promise.withResolvers<void>()]));
  const runner = {
    async run({ id }: BatchTask, { tell }: Pick<TaskContext, "tell">) {
      await tell({ type: "request.completed" } as ThreadEvent); // the others wait for the first
      most = Math.max(most, (running += 1));
      if (id === "b") gates.get("b")?.resolve();
      if (id === "c") gates.get("a")?.resolve();
      if (id !== "c") await gates.get(id)?.promise;
      running -= 1;
      return done;
    },
  };
  const { events, summary } = await run({ tasks: ["a", "b", "c"].map(task), runner, concurrency: 2 });
  expect(most).toBe(2);
  expect(events.flatMap((event) => (event.type === "task.ended" ? event.result.id : []))[0]).toBe("b");
  const [usage, saved] = [noTokenUsage, null];
  expect(summary).toEqual({ completed: 3, failed: 0, left: 0, cost: 0, usage, saved, stopped: null });
});

test("a provider that fails pauses the whole batch, one task tries first, and no task fails for it", async () => {
  const clock = createTestClock();
  let failures = 3;
  const runner: BatchOptions["runner"] = {
    async run({ id }, { begin, beforeRequest, tell, begun, signal }) {
      if (begun === null) await begin({ threadId: id, turns: 0 });
      await beforeRequest(signal);
      if (id !== "first" && failures > 0) {
        failures -= 1;
        return failed("connection_failed");
      }
      await tell({ type: "request.completed" } as ThreadEvent);
      return done;
    },
  };
  const { events, summary } = await run({ tasks: ["first", "a", "b", "c"].map(task), runner, clock, concurrency: 4 });
  expect(summary).toMatchObject({ completed: 4, failed: 0 });
  expect(events.filter(({ type }) => type === "batch.paused")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "batch.continued")).toHaveLength(1);
});

test("an answer to a request from before a pause does not end it", async () => {
  const answered = { type: "request.completed" } as ThreadEvent;
  const cause = { code: "http_429", message: "Slow down." };
  const limited = { type: "stream.retrying", attempt: 1, max_attempts: 4, delay_ms: 2_000, cause } as ThreadEvent;
  const [slowSent, isLimited, nextEnded] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const runner: BatchOptions["runner"] = {
    async run({ id }, { begin, beforeRequest, tell, signal }) {
      await begin({ threadId: id, turns: 0 });
      await beforeRequest(signal);
      if (id === "slow") slowSent?.resolve();
      if (id === "slow") await isLimited?.promise;
      if (id === "limited") {
        await slowSent?.promise;
        await tell(limited);
        isLimited?.resolve();
        await nextEnded?.promise;
      }
      await tell(answered);
      if (id === "next") nextEnded?.resolve();
      return done;
    },
  };
  const { events } = await run({ tasks: ["first", "slow", "limited", "next"].map(task), runner, concurrency: 2 });
  const seen = events.flatMap((event): readonly string[] => {
    if (event.type === "task.ended") return [event.result.id];
    return event.type === "batch.paused" || event.type === "batch.continued" ? [event.type] : [];
  });
  expect(seen).toEqual(["first", "batch.paused", "slow", "batch.continued", "next", "limited"]);
});

test("a login that the server rejects stops the batch, and a used-up budget of the batch, too", async () => {
  const tasks = ["a", "b"].map(task);
  const rejected = await run({ tasks, runner: { run: async () => failed("unauthorized") }, concurrency: 1 });
  expect(rejected.summary).toMatchObject({ failed: 0, left: 2, stopped: { code: "unauthorized" } });
  const spender: BatchOptions["runner"] = {
    async run(_task, { budget }) {
      const error = budget.admit({ tokens: 1, cost: 0.4 });
      if (error !== null) return { ...failed(error.code), error };
      budget.spend({ tokens: 1, cost: 0.4 });
      return done;
    },
  };
  const spent = await run({
    tasks: ["a", "b", "c"].map(task),
    runner: spender,
    concurrency: 1,
    budget: { maxCost: 1 },
  });
  expect(spent.summary).toMatchObject({ completed: 2, left: 1, cost: 0.8, stopped: { code: "budget_exhausted" } });
});

test("a journal survives a line that was cut off, and one process has it at a time", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-test-"));
  const path = join(folder.path, "journal");
  const tasks = ["a", "b"].map(task);
  {
    await using journal = await openBatchJournal(path);
    await expect(openBatchJournal(path)).rejects.toMatchObject({ code: "batch_journal" });
    const runner: BatchOptions["runner"] = {
      async run({ id }, { begin, signal }) {
        await begin({ threadId: `thread-${id}`, turns: 0 });
        if (id === "a") return done;
        stop.abort();
        return { ...failed("interrupted"), ...(signal.aborted && {}) };
      },
    };
    const stop = new AbortController();
    const { summary } = await run({ tasks, runner, journal, concurrency: 1, signal: stop.signal });
    expect(summary).toMatchObject({ completed: 1, left: 1 });
  }
  await appendFile(path, '{"type":"task.en');
  await using journal = await openBatchJournal(path);
  const begun: unknown[] = [];
  const runner: BatchOptions["runner"] = {
    async run({ id }, context) {
      begun.push([id, context.begun, context.isPaid]);
      return done;
    },
  };
  const { summary } = await run({ tasks, runner, journal });
  expect(begun).toEqual([["b", { threadId: "thread-b", turns: 0 }, false]]);
  expect(summary).toMatchObject({ completed: 2, failed: 0, left: 0 });
});

test("the first task warms the provider's cache alone; then three tasks share a key, and the report says what that saved", async () => {
  const shards: number[] = [];
  let running = 0;
  const alone: boolean[] = [];
  const all = Promise.withResolvers<void>();
  const runner: BatchOptions["runner"] = {
    async run({ id }, { cacheShard, tell }) {
      shards.push(cacheShard);
      running += 1;
      alone.push(running === 1);
      if (id === "a") await nextTick();
      await tell({ type: "request.completed" } as ThreadEvent);
      if (running === 4) all.resolve();
      await all.promise;
      return {
        ...done,
        cost: 0.25,
        uncachedCost: 1,
        usage: { ...noTokenUsage, input_tokens: 10, cached_input_tokens: 9 },
      };
    },
  };
  const { summary } = await run({ tasks: ["a", "b", "c", "d"].map(task), runner, concurrency: 4 });
  expect(alone).toEqual([true, false, false, false]);
  expect(shards).toEqual([0, 0, 0, 1]);
  expect(summary).toMatchObject({ completed: 4, saved: 3, usage: { input_tokens: 40, cached_input_tokens: 36 } });
});

test("of many tasks at once, eight open their threads at a time, and none does when the batch was ended", async () => {
  const tasks = Array.from({ length: 30 }, (_, index) => task(String(index)));
  const ending = new AbortController();
  const seen: number[] = [];
  let opening = 0;
  async function openThread(): Promise<never> {
    seen.push((opening += 1));
    if (seen.length === 20) ending.abort();
    await nextTick();
    opening -= 1;
    throw Object.assign(new Error("no room"), { code: "full" });
  }
  const runner = createThreadRunner({
    harness: { openThread, resumeThread: openThread },
    store: {} as Parameters<typeof createThreadRunner>[0]["store"],
    priceOf: () => null,
    newId: () => "id",
  });
  const { summary } = await run({ tasks, runner, concurrency: 30, signal: ending.signal });
  expect(seen).toHaveLength(20);
  expect(Math.max(...seen)).toBe(8);
  expect(summary.failed + summary.left).toBe(30);
});

test("a task that runs a call before its first request keeps no other task from opening its thread", async () => {
  const tasks = Array.from({ length: 20 }, (_, index) => task(String(index)));
  const all = Promise.withResolvers<void>();
  let inCall = 0;
  async function* runCall(): AsyncGenerator<ThreadEvent, TurnOutcome> {
    yield { type: "item.started", item: { id: "1", type: "agent_message", text: "" } };
    const isFirst = (inCall += 1) === 1; // it runs alone
    if (inCall === tasks.length) all.resolve();
    if (!isFirst) await all.promise;
    return { type: "completed", finalMessage: "Done.", usage: noTokenUsage };
  }
  const thread = { run: runCall, [Symbol.asyncDispose]: async () => {} } as unknown as Thread;
  const runner = createThreadRunner({
    harness: { openThread: async () => thread, resumeThread: async () => thread },
    store: {
      load: () => Promise.reject(Object.assign(new Error("none"), { code: "thread_missing" })),
    } as unknown as ThreadStore,
    priceOf: () => null,
    newId: () => "id",
  });
  const { summary } = await run({ tasks, runner, concurrency: 20 });
  expect(summary).toMatchObject({ completed: 20 });
});
