import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Question, replayThread, type ThreadEvent } from "@unroll/protocol";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { asksForNotes, compact, notes, print, printer } from "../compaction-world.ts";
import { runToEnd } from "../thread-world.ts";
import {
  agentTools,
  callsIn,
  config,
  hideIds,
  openStore,
  openWorld,
  outputsOf,
  say,
  start,
  toolsOf,
} from "./agent-world.ts";

test("a call gives a task to a sub-agent, waits for it, and returns its report", async () => {
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "count" }) : say("Two files.")),
    count: () => say("There are two."),
  });
  await using thread = await world.openThread({ config });
  const { events, outcome } = await runToEnd(thread, "Ask");
  expect(outcome).toMatchObject({ finalMessage: "Two files." });
  const output = "Sub-agent count (thread ID): completed\nused: N tokens\n\nThere are two.";
  expect(outputsOf(world.model.requests.at(-1))).toEqual([output]);
  const shown = events.flatMap((event) =>
    "item" in event && event.item.type === "tool_call" ? [{ ...event.item, type: event.type }] : [],
  );
  expect(shown.map(({ type, status, agent }) => [type, status, agent?.state ?? null])).toEqual([
    ["item.started", "in_progress", null],
    ["item.updated", "in_progress", "running"],
    ["item.updated", "in_progress", "running"],
    ["item.completed", "completed", "completed"],
  ]);
  const [first, second] = world.model.requests;
  expect(toolsOf(first).filter((name) => agentTools.includes(name))).toEqual(agentTools);
  expect(toolsOf(second).filter((name) => agentTools.includes(name))).toEqual([]);
});

test("calls of one response run side by side, up to a limit, and siblings share one cache key", async () => {
  const all = Promise.withResolvers<void>();
  let arrived = 0;
  const child = async (): Promise<Turn> => {
    if ((arrived += 1) === 2) all.resolve();
    await all.promise;
    return say("Done.");
  };
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "a" }, { message: "b" }, { message: "c" }) : say("End.")),
    a: child,
    b: child,
    c: child,
  });
  await using thread = await world.openThread({ config: [...config, "agents.max_threads=2"] });
  const { events } = await runToEnd(thread, "Ask");
  // the two end in any order
  const ended = callsIn(events).map(({ status, agent, reason = "" }) => [status, agent?.name ?? "", reason] as const);
  expect(ended.toSorted(([, one], [, two]) => (one < two ? -1 : 1))).toEqual([
    [
      "failed",
      "",
      "It was not started. 2 sub-agents run already, which is the limit (agents.max_threads). Wait for one of them, or do the task yourself.",
    ],
    ["completed", "a", ""],
    ["completed", "b", ""],
  ]);
  const [, first, second] = world.model.requests.map(({ body }) => body["prompt_cache_key"]);
  expect(first).toBe(second);
});

test("without waiting, the report is appended before the next request, once, and the item ends with the sub-agent", async () => {
  const hold = Promise.withResolvers<void>();
  await using world = await openWorld({
    Ask(_, step) {
      if (step === 0) return start({ message: "look", wait: false });
      return say(step === 1 ? "It works." : "Seen.");
    },
    look: async () => (await hold.promise, say("Found it.")),
  });
  await using thread = await world.openThread({ config });
  const told: ThreadEvent[] = [];
  const ended = Promise.withResolvers<void>();
  void (async () => {
    for await (const { event } of thread.events({ ofTurns: false })) {
      told.push(event);
      if (event.type === "item.completed") ended.resolve();
    }
  })();
  await runToEnd(thread, "Ask");
  expect(outputsOf(world.model.requests.findLast(({ input }) => outputsOf({ input } as never).length > 0))).toEqual([
    "Sub-agent look (thread ID): still running. It works in the background. Call wait_agent to wait for its report; without that you get it when it has finished.",
  ]);
  expect(thread.agents.list()).toMatchObject([{ name: "look", state: "running" }]);
  hold.resolve();
  await ended.promise;
  expect(callsIn(told)).toMatchObject([{ status: "completed", agent: { name: "look", state: "completed" } }]);
  await runToEnd(thread, "More");
  await runToEnd(thread, "Again");
  const reports = (world.model.requests.at(-1)?.input ?? [])
    .map((item) => JSON.stringify(item))
    .filter((text) => text.includes("Found it."));
  expect(reports).toHaveLength(1);
  expect(reports[0]).toContain("<sub_agents>");
});

test("what a sub-agent does while an answer is shown comes in between when the thread is opened again", async () => {
  const both: Turn = { items: [{ reasoning: "Hm." }, { text: "It works." }] };
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "look", wait: false }) : both),
    look: () => say("Found it."),
  });
  const store = openStore(world);
  await using thread = await world.openThread({ config, store });
  await runToEnd(thread, "Ask");
  const { entries } = await store.load(thread.id);
  const running = entries.filter(({ type }) => type === "told");
  const meanwhile = entries.flatMap((entry) => {
    if (entry.type === "told") return [];
    return entry.type === "item.ended" && entry.item.type === "reasoning" ? [entry, ...running] : [entry];
  });
  const shown = [...replayThread(meanwhile)].flatMap((event) => {
    if (event.type === "request.completed") return [event.type];
    return "item" in event ? [`${event.type} ${event.item.type}`] : [];
  });
  const order = shown.filter((line) => line !== "item.completed tool_call"); // it ends at any time
  expect(order).toEqual([
    "request.completed",
    "item.completed reasoning",
    ...running.map(() => "item.updated tool_call"),
    "item.completed agent_message",
    "request.completed",
  ]);
});

test("a message of the user ends the wait, never the sub-agent", async () => {
  const hold = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using world = await openWorld({
    Ask(_, step) {
      if (step === 0) return start({ message: "look" });
      return step === 1 ? { items: [{ call: "wait_agent", arguments: {} }] } : say("End.");
    },
    async look() {
      asked.resolve();
      await hold.promise;
      return say("Found it.");
    },
  });
  await using thread = await world.openThread({ config });
  const running = runToEnd(thread, "Ask");
  await asked.promise;
  await thread.send("How far is it?");
  hold.resolve();
  const { outcome } = await running;
  expect(outcome).toMatchObject({ finalMessage: "End." });
  expect(outputsOf(world.model.requests.at(-1))).toEqual([
    "Sub-agent look (thread ID): still running. The user wrote to you, so this call stopped waiting. Call wait_agent to wait for its report; without that you get it when it has finished.",
    "Sub-agent look (thread ID): completed\nused: N tokens\n\nFound it.",
  ]);
});

test("a sub-agent that continues has an item of its own until its turn ends, and is reported before the next request", async () => {
  const all = Promise.withResolvers<void>();
  await using world = await openWorld({
    Ask(_, step) {
      if (step === 0) return start({ message: "look" });
      const message = { target: "look", message: "And now?" };
      return step === 1 ? { items: [{ call: "send_message", arguments: message }] } : say("End.");
    },
    look: (_, step) => say(step === 0 ? "Found it." : "Found more."),
  });
  const price = { input: 2, cachedInput: 0.5, output: 10 };
  await using thread = await world.openThread({ config, priceOf: () => price });
  const told: ThreadEvent[] = [];
  void (async () => {
    for await (const { event } of thread.events()) {
      told.push(event);
      if (event.type === "item.completed" && !("call_id" in event.item) && event.item.type === "tool_call")
        all.resolve();
    }
  })();
  await runToEnd(thread, "Ask");
  await all.promise;
  const shown = told.flatMap((event) =>
    "item" in event && event.item.type === "tool_call" && event.item.call_id === undefined
      ? [{ type: event.type, item: event.item }]
      : [],
  );
  expect(new Set(shown.map(({ item }) => item.id)).size).toBe(1);
  const running = {
    type: "item.updated",
    item: { status: "in_progress", output: expect.stringContaining("still running") },
  };
  expect(shown).toMatchObject([
    { type: "item.started", item: { status: "in_progress", output: null } },
    running,
    running,
    { type: "item.completed", item: { status: "completed", output: expect.stringContaining("Found more.") } },
  ]);
  expect(shown.at(-1)).toMatchObject({
    item: {
      tool: "send_message",
      arguments: { target: "look", message: "And now?" },
      agent: { name: "look", state: "completed", tokens: expect.any(Number) },
      duration_ms: expect.any(Number),
    },
  });
  const costs = shown.map(({ item }) => item.agent?.cost ?? 0);
  expect(costs[0]).toBeGreaterThan(0); // those of its earlier turns count
  expect(costs).toEqual(costs.toSorted((a, b) => a - b));
  await runToEnd(thread, "More");
  expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain("Found more.");
});

test("an interruption stops all sub-agents, and the turn ends behind them", async () => {
  const asked = Promise.withResolvers<void>();
  let count = 0;
  const hang = async (): Promise<Turn> => {
    if ((count += 1) === 2) asked.resolve();
    return { items: [], end: "none", keepOpen: true };
  };
  await using world = await openWorld({
    Ask: () => start({ message: "back", wait: false }, { message: "front" }),
    back: hang,
    front: hang,
  });
  await using thread = await world.openThread({ config });
  const stop = new AbortController();
  const running = runToEnd(thread, "Ask", { signal: stop.signal });
  await asked.promise;
  stop.abort();
  const { outcome, events } = await running;
  expect(outcome.type).toBe("interrupted");
  const ended = callsIn(events).map(({ status, agent }) => [agent?.name, status, agent?.state]);
  expect(ended.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1))).toEqual([
    ["back", "failed", "stopped"],
    ["front", "failed", "stopped"],
  ]);
  // which of two calls side by side starts first is open
  const states = thread.agents.list().map(({ name, state }) => [name, state]);
  expect(Object.fromEntries(states)).toEqual({ back: "stopped", front: "stopped" });
  expect(thread.agents.isRunning).toBe(false);
});

test("a sub-agent that fails is a failed call with the reason", async () => {
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "fail" }) : say("End.")),
    fail: () => ({ status: 400, body: { error: { code: "bad", message: "No such thing." } } }),
  });
  await using thread = await world.openThread({ config });
  const { events } = await runToEnd(thread, "Ask");
  expect(callsIn(events)).toMatchObject([{ status: "failed", agent: { state: "failed" } }]);
  expect(callsIn(events)[0]?.reason).toContain("No such thing.");
});

test("a sub-agent has the tools, the folder and the sandbox that were asked for, and no more than its parent", async () => {
  const patch = "*** Begin Patch\n*** Add File: made\n+x\n*** End Patch";
  await using world = await openWorld({
    Ask: (_, step) =>
      step === 0
        ? start(
            { message: "read", sandbox: "read-only" },
            { message: "few", tools: ["exec_command", "other"] },
            { message: "far", folder: "none" },
          )
        : say("End."),
    read: (_, step) => (step === 0 ? { items: [{ custom: "apply_patch", input: patch }] } : say("Tried.")),
    few: () => say("Few."),
  });
  await using thread = await world.openThread({ config });
  const { events } = await runToEnd(thread, "Ask");
  expect(existsSync(join(world.work, "made"))).toBe(false);
  const few = world.model.requests.find(({ raw }) => raw.toString().includes('"text":"few"'));
  expect(toolsOf(few)).toEqual(["exec_command"]);
  expect(callsIn(events).find(({ status }) => status === "failed")?.reason).toContain("none");
});

test("sub-agents side by side share one budget: while two are asking, the third waits, and what they spend is gone for it", async () => {
  const use = (tokens: number): Pick<Extract<Turn, { readonly items: unknown }>, "usage"> => ({
    usage: { input_tokens: tokens, output_tokens: 0, total_tokens: tokens },
  });
  const child = (): Turn => ({ items: [{ text: "Done." }], ...use(9_000) });
  const text = "x".repeat(40_000); // about 10,000 tokens
  const tasks = ["a", "b", "c"].map((name) => ({ task_name: name, message: `${name}: ${text}` }));
  await using world = await openWorld({
    Ask: () => ({ ...start(...tasks), ...use(4_000) }),
    a: child,
    b: child,
    c: child,
  });
  await using thread = await world.openThread({ config: [...config, "budget.max_tokens=20000"] });
  const { events, outcome } = await runToEnd(thread, "Ask");
  const failed = callsIn(events).filter(({ status }) => status === "failed");
  expect(failed.map(({ reason }) => reason)).toEqual([
    "The budget of the run is used up (max_tokens): 22000 of 20000 tokens were used. Raise max_tokens, and resume the thread.",
  ]);
  expect(outcome).toMatchObject({ type: "failed", error: { code: "budget_exhausted" } });
  expect([world.model.requests.length, thread.budget.spent.tokens]).toEqual([3, 22_000]);
});

test("models without those names get plain ones, and a resumed thread keeps the tools it had", async () => {
  await using world = await openWorld({ Ask: () => say("Hello."), More: () => say("Yes.") });
  const plain = ["agent", "agent_wait", "agent_send", "agent_stop"];
  await using other = await world.openThread({ config: [...config, "model=other"] });
  await runToEnd(other, "Ask");
  expect(toolsOf(world.model.requests[0]).filter((name) => plain.includes(name))).toEqual(plain);
  const store = openStore(world);
  for (const [before, after] of [
    [[], config],
    [config, []],
  ] as const) {
    const first = await world.openThread({ config: before, store });
    await runToEnd(first, "Ask");
    await first[Symbol.asyncDispose]();
    await using again = await world.openThread({ config: after, store, resume: first.id });
    const { events } = await runToEnd(again, "More");
    expect(events.filter(({ type }) => type === "warning" || type === "epoch.opened")).toEqual([]);
    const [was, is] = world.model.requests.slice(-2).map(toolsOf);
    expect(is).toEqual(was);
  }
});

test("a question of a sub-agent goes to the parent's person, and names the sub-agent", async () => {
  const asked: Question[] = [];
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "run" }) : say("End.")),
    run: (_, step) =>
      step === 0
        ? { items: [{ call: "exec_command", arguments: { cmd: "touch made", login: false } }] }
        : say("Tried."),
  });
  await using thread = await world.openThread({
    config,
    permissions: ["sandbox_mode=danger-full-access", "approval_policy=untrusted"],
    person: {
      async answer(question) {
        asked.push(question);
        return { type: "denied", reason: null };
      },
    },
  });
  await runToEnd(thread, "Ask");
  expect(asked).toMatchObject([{ type: "command.approval", agent: "run", threadId: thread.id, itemId: null }]);
  expect(existsSync(join(world.work, "made"))).toBe(false);
});

test("after each compaction, the model has one list of the sub-agents that run, the latest", async () => {
  const hold = Promise.withResolvers<void>();
  const isWaiting = Promise.withResolvers<void>();
  await using world = await openWorld(
    {
      Ask(request, step) {
        if (asksForNotes(request)) return say(notes);
        if (step === 0) return start({ message: "look", wait: false });
        const isNew = JSON.stringify(request.input.at(-1)).includes("Ask: ");
        return isNew ? print(50_000) : say("Done.");
      },
      look: async () => (isWaiting.resolve(), await hold.promise, say("Found it.")),
    },
    {},
    { prefix: false },
  );
  await using thread = await world.openThread({ config, tools: [printer] });
  await runToEnd(thread, "Ask");
  await isWaiting.promise;
  const lists: (readonly string[])[] = [];
  for (const input of ["Ask: 2", "Ask: 3", "Ask: 4"]) {
    await runToEnd(thread, input);
    const items = (world.model.requests.at(-1)?.input ?? []).map((item) => hideIds(JSON.stringify(item)));
    lists.push(items.filter((text) => text.includes("<sub_agents>")));
    const { events } = await compact(thread);
    expect(events.map(({ type }) => type)).toContain("compaction.completed");
  }
  const [before, ...after] = lists;
  expect(before).toEqual([]);
  expect(after).toHaveLength(2);
  for (const list of after) expect(list).toEqual([expect.stringContaining("look (thread ID): still running.")]);
  hold.resolve();
});
