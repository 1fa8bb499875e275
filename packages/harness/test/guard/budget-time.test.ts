import { createBudget } from "@unroll/harness";
import type { BudgetStatus, Person } from "@unroll/protocol";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { callsIn, config, openWorld, say, start } from "../agents/agent-world.ts";
import { openThreadWorld, runToEnd, type ThreadSettings } from "../thread-world.ts";

interface Time extends Required<NonNullable<ThreadSettings["time"]>> {
  /** Rings the timers that are due then. */
  pass(seconds: number): void;
}

function createTime(): Time {
  let now = 0;
  const timers = new Map<symbol, { readonly at: number; readonly ring: () => void }>();
  return {
    elapsed: () => now,
    timers: {
      sleep: () => Promise.resolve(),
      setTimer(ms, ring) {
        const key = Symbol("timer");
        timers.set(key, { at: now + ms, ring });
        return () => void timers.delete(key);
      },
    },
    pass(seconds) {
      now += seconds * 1000;
      for (const [key, { at, ring }] of timers) {
        if (at <= now && timers.delete(key)) ring();
      }
    },
  };
}

const permissions = ["sandbox_mode=danger-full-access", "approval_policy=untrusted"];

const touch: Turn = { items: [{ call: "exec_command", arguments: { cmd: "touch made", login: false } }] };

const wait: Turn = { items: [{ call: "wait_agent", arguments: {} }] };

/** Takes their time for each answer. */
function createSlowPerson(answer: () => void | Promise<void>): Person {
  return {
    async answer() {
      await answer();
      return { type: "denied", reason: null };
    },
  };
}

function secondsOf(limits: readonly BudgetStatus[]): readonly number[] {
  return limits.flatMap(({ limit, spent }) => (limit === "max_time" ? [spent] : []));
}

test("the time of an answer does not count, and the time behind it does", async () => {
  const time = createTime();
  await using world = await openThreadWorld({
    respond({ input }) {
      if (!JSON.stringify(input.at(-1)).includes("call_output")) return touch;
      time.pass(11);
      return say("Late.");
    },
  });
  const person = createSlowPerson(() => time.pass(3600));
  await using thread = await world.openThread({ config: ["budget.max_time_sec=10"], permissions, person, time });
  const { outcome } = await runToEnd(thread, "Go");
  expect(world.model.requests).toHaveLength(2);
  expect(outcome).toMatchObject({
    error: { code: "budget_exhausted", budget: { limit: "max_time", of: "run", max: 10, spent: 11 } },
  });
});

test("neither a sub-agent that waits for an answer nor the thread that waits for it spends time", async () => {
  const time = createTime();
  await using world = await openWorld({
    Ask: (_, step) => (time.pass(1), step === 0 ? start({ message: "run" }, { message: "too" }) : say("End.")),
    run: (_, step) => (time.pass(1), step === 0 ? touch : say("Tried.")),
    too: (_, step) => (time.pass(1), step === 0 ? touch : say("Tried.")),
  });
  const both = Promise.withResolvers<void>();
  let asked = 0;
  const person = createSlowPerson(async () => {
    if ((asked += 1) === 2) {
      time.pass(3600);
      both.resolve();
    }
    await both.promise;
  });
  const budget = createBudget({ clock: time, limits: { maxTimeMs: 20_000 } });
  const limits = [...config, "budget.max_time_sec=15"];
  await using thread = await world.openThread({ config: limits, permissions, person, time, budget });
  const { events, outcome } = await runToEnd(thread, "Ask");
  expect(outcome).toMatchObject({ finalMessage: "End." });
  expect(callsIn(events).map(({ status }) => status)).toEqual(["completed", "completed"]);
  expect(secondsOf(budget.limits)).toEqual([6]);
});

test("while a sub-agent waits for an answer, the work of the thread counts", async () => {
  const time = createTime();
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await using world = await openWorld({
    async Ask(_, step) {
      if (step === 0) return start({ message: "run", wait: false });
      await asked.promise;
      time.pass(11);
      return say("Late.");
    },
    run: (_, step) => (step === 0 ? touch : say("Tried.")),
  });
  const person = createSlowPerson(() => (asked.resolve(), answered.promise));
  const limits = [...config, "budget.max_time_sec=10"];
  await using thread = await world.openThread({ config: limits, permissions, person, time });
  const { outcome } = await runToEnd(thread, "Ask");
  answered.resolve();
  expect(outcome).toMatchObject({ error: { budget: { limit: "max_time", of: "run", max: 10, spent: 11 } } });
});

test("while the thread waits for an answer, the work of a sub-agent counts, also one of an earlier turn", async () => {
  const time = createTime();
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await using world = await openWorld({
    Ask: (_, step) => [start({ message: "look", wait: false }), say("It works."), touch][step] ?? say("No."),
    async look() {
      await asked.promise;
      time.pass(11);
      return say("Late.");
    },
  });
  const person = createSlowPerson(() => (asked.resolve(), answered.promise));
  const limits = [...config, "budget.max_time_sec=10"];
  await using thread = await world.openThread({ config: limits, permissions, person, time });
  expect((await runToEnd(thread, "Ask")).outcome.type).toBe("completed");
  const { outcome } = await runToEnd(thread, "More");
  answered.resolve();
  expect(outcome).toMatchObject({ error: { budget: { limit: "max_time", of: "run", max: 10, spent: 11 } } });
});

test("a turn that waits for a sub-agent of an earlier turn spends time while that one works, and none while it asks", async () => {
  const time = createTime();
  const waited = Promise.withResolvers<void>();
  await using world = await openWorld({
    Ask: (_, step) =>
      [start({ message: "look", wait: false }), say("It works."), wait, say("End.")][step] ?? say("No."),
    async look(_, step) {
      if (step > 0) return say("Found it.");
      await waited.promise;
      time.pass(3);
      return touch;
    },
  });
  const person = createSlowPerson(() => time.pass(3600));
  const limits = [...config, "budget.max_time_sec=10"];
  await using thread = await world.openThread({ config: limits, permissions, person, time });
  await runToEnd(thread, "Ask");
  const spent: number[] = [];
  for await (const event of thread.run("More")) {
    if (event.type === "item.started") waited.resolve();
    if (event.type === "budget.updated") spent.push(...secondsOf(event.limits));
  }
  expect(spent).toEqual([0, 3, 3]);
});
