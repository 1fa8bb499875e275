import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import * as z from "zod";
import { runToEnd } from "../thread-world.ts";
import { openStore, openWorld, say } from "./agent-world.ts";

test("a program starts sub-agents side by side and gets typed reports, which the model does not get", async () => {
  const both = Promise.withResolvers<void>();
  let arrived = 0;
  const child = async (): Promise<Turn> => {
    if ((arrived += 1) === 2) both.resolve();
    await both.promise;
    return say('{"found":2}');
  };
  await using world = await openWorld({ Ask: () => say("Hi."), a: child, b: child });
  const store = openStore(world);
  const thread = await world.openThread({ store });
  await runToEnd(thread, "Ask");
  const output = z.object({ found: z.number() });
  const agents = await Promise.all(["a", "b"].map((task) => thread.spawn(task, { role: "worker", output })));
  const results = await Promise.all(agents.map(({ result }) => result));
  expect(results.map(({ value, changedFiles }) => [value.found, changedFiles])).toEqual([
    [2, []],
    [2, []],
  ]);
  expect(agents.map(({ id, name, progress }) => [id === progress.thread_id, name, progress.state])).toEqual([
    [true, "worker 1", "completed"],
    [true, "worker 2", "completed"],
  ]);
  await runToEnd(thread, "Ask");
  await thread[Symbol.asyncDispose]();
  await using again = await world.openThread({ store, resume: thread.id });
  await runToEnd(again, "Ask");
  // which of two calls side by side starts first is open
  const listed = again.agents.list().toSorted((one, other) => one.name.localeCompare(other.name));
  expect(listed).toMatchObject([
    { name: "worker 1", role: "worker", state: "completed" },
    { name: "worker 2", role: "worker", state: "completed" },
  ]);
  expect(world.model.requests.filter(({ raw }) => raw.toString().includes("<sub_agents>"))).toEqual([]);
});

test("a sub-agent of a program has no more than the thread, within its limits, and stops by its signal", async () => {
  const asked = Promise.withResolvers<void>();
  await using world = await openWorld({
    hang() {
      asked.resolve();
      return { items: [], end: "none", keepOpen: true };
    },
  });
  await using thread = await world.openThread({ config: ["agents.max_threads=1"] });
  const stop = new AbortController();
  const agent = await thread.spawn("hang", { signal: stop.signal });
  await asked.promise;
  await expect(thread.spawn("more")).rejects.toMatchObject({
    code: "agent_not_started",
    message:
      "The sub-agent was not started. 1 sub-agent runs already, which is the limit (agents.max_threads). Wait for one of them, or do the task yourself.",
  });
  stop.abort();
  await expect(agent.result).rejects.toMatchObject({ name: "AbortError" });
  expect(agent.progress.state).toBe("stopped");
  await expect(thread.spawn("x", { role: "cook" })).rejects.toThrow("There is no role cook.");
  await expect(thread.spawn("x", { folder: "none" })).rejects.toThrow("There is no folder");
  await expect(thread.spawn("x", { sandbox: "read-only" } as never)).rejects.toThrow("did you mean sandboxMode?");
});

test("a failed sub-agent of a program rejects with the reason, and closing the thread ends one that runs", async () => {
  const asked = Promise.withResolvers<void>();
  await using world = await openWorld({
    fail: () => ({ status: 400, body: { error: { code: "bad", message: "No such thing." } } }),
    hang() {
      asked.resolve();
      return { items: [], end: "none", keepOpen: true };
    },
  });
  const thread = await world.openThread();
  const failed = await thread.spawn("fail");
  await expect(failed.result).rejects.toMatchObject({ code: "turn_failed" });
  const hanging = await thread.spawn("hang");
  await asked.promise;
  await thread[Symbol.asyncDispose]();
  await expect(hanging.result).rejects.toMatchObject({ name: "AbortError" });
  await expect(thread.spawn("more")).rejects.toMatchObject({ code: "closed" });
});

test("a sub-agent that a thread starts before its first turn is recorded before its first request", async () => {
  const seen = Promise.withResolvers<readonly unknown[]>();
  const opened = Promise.withResolvers<string>();
  await using world = await openWorld({
    async dig() {
      const { entries } = await store.load(await opened.promise);
      seen.resolve(entries.filter(({ type }) => type === "agent.started"));
      return say("Dug.");
    },
  });
  const store = openStore(world);
  const thread = await world.openThread({ store });
  opened.resolve(thread.id);
  const { id, name, result } = await thread.spawn("dig");
  expect(await seen.promise).toEqual([{ type: "agent.started", callId: null, childId: id, role: null, name }]);
  await result;
  await thread[Symbol.asyncDispose]();
  await using again = await world.openThread({ store, resume: thread.id });
  expect(again.agents.list()).toMatchObject([{ thread_id: id, state: "completed" }]);
});

test("an interruption also reaches a sub-agent that is about to start", async () => {
  const asked = Promise.withResolvers<void>();
  await using world = await openWorld({
    hang() {
      asked.resolve();
      return { items: [], end: "none", keepOpen: true };
    },
  });
  const loading = Promise.withResolvers<void>();
  const loaded = Promise.withResolvers<void>();
  await using thread = await world.openThread({
    async loadAgentModel(_, config) {
      loading.resolve();
      await loaded.promise;
      return config;
    },
  });
  const stop = new AbortController();
  const turn = runToEnd(thread, "hang", { signal: stop.signal });
  const starting = thread.spawn("dig", { model: "another" });
  await Promise.all([asked.promise, loading.promise]);
  stop.abort();
  await turn;
  loaded.resolve();
  await expect(starting).rejects.toMatchObject({
    code: "agent_not_started",
    message: "The sub-agent was not started. All sub-agents were stopped meanwhile.",
  });
  expect(thread.agents.list()).toEqual([]);
  expect(world.model.requests).toHaveLength(1);
});
