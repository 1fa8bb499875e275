import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Thread } from "@unroll/harness";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { runToEnd, type ThreadWorld } from "../thread-world.ts";
import {
  agentTools,
  callsIn,
  config,
  hideIds,
  openStore,
  openWorld,
  outputsOf,
  runUntilKilled,
  say,
  start,
  toolsOf,
} from "./agent-world.ts";

const deep = [...config, "agents.max_depth=2"];

/** Answers of a sub-agent that hang until its process was killed. */
function createCut() {
  const hung = Promise.withResolvers<void>();
  let isMended = false;
  return {
    hangs: hung.promise,
    mend: () => void (isMended = true),
    answer(): Turn {
      if (isMended) return say("Dug.");
      hung.resolve();
      return { items: [], end: "none", keepOpen: true };
    },
  };
}

test("after a kill, the call says how far its sub-agent came, a wait continues it, and it is started once", async () => {
  const cut = createCut();
  await using world = await openWorld({
    Go(_, step) {
      if (step === 0) return start({ message: "dig", tools: ["exec_command"] });
      return step === 1 ? { items: [{ call: "wait_agent", arguments: { targets: ["dig"] } }] } : say("End.");
    },
    dig(_, step) {
      if (step === 0) return { items: [{ call: "exec_command", arguments: { cmd: "true", login: false } }] };
      return cut.answer();
    },
  });
  await runUntilKilled(world, cut.hangs);
  cut.mend();
  const store = openStore(world);
  await using thread: Thread = await world.openThread({ store, resume: "last", config });
  expect(thread.agents.list()).toMatchObject([{ name: "dig", state: "stopped" }]);
  const { outcome } = await runToEnd(thread, "More");
  expect(outcome).toMatchObject({ finalMessage: "End." });
  expect(outputsOf(world.model.requests.at(-1))).toEqual([
    "Sub-agent dig (thread ID) was running when the program ended; 0 turns kept. Wait for it with your tool for that: it continues, and you get its report. Do not give the task to another sub-agent.",
    "Sub-agent dig (thread ID): completed\nused: N tokens\n\nDug.",
  ]);
  const ofChild = world.model.requests.filter(({ raw }) => raw.toString().includes('"text":"dig"'));
  expect(ofChild.map(toolsOf)).toEqual([["exec_command"], ["exec_command"], ["exec_command"]]);
  const [agent] = thread.agents.list();
  const { entries } = await store.load(thread.id);
  expect(entries.filter(({ type }) => type === "agent.started")).toEqual([
    { type: "agent.started", callId: expect.any(String), childId: agent?.thread_id, role: null, name: "dig" },
  ]);
  const own = (await store.load(agent?.thread_id ?? "")).entries.find(
    (entry) => entry.type === "note" && entry.key === "parent",
  );
  expect(own).toMatchObject({ value: { threadId: thread.id, depth: 1 } });
  expect(await store.find("last", {})).toBe(thread.id);
  await thread[Symbol.asyncDispose]();
  await using alone = await world.openThread({
    store,
    resume: agent?.thread_id ?? "",
    config: [...config, "agents.max_depth=1"],
  });
  await runToEnd(alone, "Go");
  expect(toolsOf(world.model.requests.at(-1)).filter((name) => agentTools.includes(name))).toEqual([]);
});

test("a sub-agent that was cut off continues once, however many calls of a response want it", async () => {
  const cut = createCut();
  const asks = [
    { call: "wait_agent", arguments: { targets: ["dig", "dig"] } },
    { call: "send_message", arguments: { target: "dig", message: "Faster." } },
    { call: "wait_agent", arguments: {} },
  ];
  await using world = await openWorld({
    Go: (_, step) => [start({ message: "dig" }), { items: asks }][step] ?? say("End."),
    dig: () => cut.answer(),
  });
  await runUntilKilled(world, cut.hangs);
  cut.mend();
  const store = openStore(world);
  await using thread: Thread = await world.openThread({ store, resume: "last", config });
  await runToEnd(thread, "More");
  const dug = "Sub-agent dig (thread ID): completed\nused: N tokens\n\nDug.";
  expect(outputsOf(world.model.requests.at(-1)).slice(1)).toEqual([
    dug,
    "Sub-agent dig (thread ID) reads the message before its next step.",
    dug,
  ]);
  const { entries } = await store.load(thread.agents.list()[0]?.thread_id ?? "");
  expect(entries.filter(({ type }) => type === "turn.started")).toHaveLength(2);
});

test("a sub-agent that was cut off again before it could continue still counts as cut off, and a wait continues it", async () => {
  const cut = createCut();
  await using world = await openWorld({
    Go: (_, step) =>
      step === 0
        ? start({ message: "dig" })
        : step === 1
          ? { items: [{ call: "wait_agent", arguments: {} }] }
          : say("End."),
    dig: () => cut.answer(),
  });
  await runUntilKilled(world, cut.hangs);
  cut.mend();
  const store = openStore(world);
  const [, id = ""] = /"childId":"([^"]+)"/.exec(textOf(world, "agent.started")) ?? [];
  const alone = await world.openThread({ store, resume: id, config }); // it ends what was cut off, and begins nothing
  await alone[Symbol.asyncDispose]();
  expect((await store.load(id)).entries.findLast(({ type }) => type.startsWith("turn."))?.type).toBe("turn.ended");
  await using thread: Thread = await world.openThread({ store, resume: "last", config });
  expect(thread.agents.list()).toMatchObject([{ name: "dig", state: "stopped" }]);
  await runToEnd(thread, "More");
  expect(outputsOf(world.model.requests.at(-1))).toEqual([
    expect.stringMatching(/^Sub-agent dig \(thread ID\) was running when the program ended; 0 turns kept\./),
    "Sub-agent dig (thread ID): completed\nused: N tokens\n\nDug.",
  ]);
});

test("a sub-agent that was cut off and that nobody waits for does not run: the end of each later turn says so", async () => {
  const cut = createCut();
  await using world = await openWorld({
    Go: (_, step) => (step === 0 ? start({ message: "dig" }) : say("I do it myself.")),
    dig: (_, step) => (step === 0 ? start({ message: "deep" }) : cut.answer()),
    deep: () => cut.answer(),
  });
  await runUntilKilled(world, cut.hangs, deep);
  const store = openStore(world);
  for (const input of ["More", "And more"]) {
    await using thread: Thread = await world.openThread({ store, resume: "last", config: deep });
    const { events } = await runToEnd(thread, input);
    const inner = [{ name: "deep", state: "stopped" }];
    expect(events.at(-1)).toMatchObject({
      type: "turn.completed",
      agents: [{ name: "dig", state: "stopped", agents: inner }],
    });
    expect([thread.agents.isRunning, thread.agents.takeReports()]).toEqual([false, []]);
  }
});

test("a sub-agent that was cut off and could not continue is continued by a wait in the next process", async () => {
  const cut = createCut();
  await using world = await openWorld({
    Go: (_, step) =>
      step === 0
        ? start({ message: "dig" })
        : step === 1 || step === 3
          ? { items: [{ call: "wait_agent", arguments: { targets: ["dig"] } }] }
          : say("End."),
    dig: () => cut.answer(),
  });
  await runUntilKilled(world, cut.hangs);
  cut.mend();
  const store = openStore(world);
  for (const more of [["agents.max_depth=0"], []]) {
    await using thread: Thread = await world.openThread({ store, resume: "last", config: [...config, ...more] });
    await runToEnd(thread, "More");
  }
  const [, refused, waited] = outputsOf(world.model.requests.at(-1));
  expect(refused).toContain("which is the limit (agents.max_depth)");
  expect(waited).toBe("Sub-agent dig (thread ID): completed\nused: N tokens\n\nDug.");
});

test("a sub-agent of the program has its own end in the next process, also if the model got another report while it ran", async () => {
  const goes = Promise.withResolvers<void>();
  await using world = await openWorld({
    Go: (_, step) => (step === 0 ? start({ message: "look" }) : say("Yes.")),
    look: () => say("Seen."),
    count: async () => {
      await goes.promise;
      return say("Two.");
    },
  });
  const store = openStore(world);
  const first = await world.openThread({ store, config });
  const agent = await first.spawn("count", {});
  await runToEnd(first, "Go");
  goes.resolve();
  await agent.result;
  await first[Symbol.asyncDispose]();
  await using again = await world.openThread({ store, config, resume: first.id });
  expect(again.agents.list()).toEqual(first.agents.list());
  expect(again.agents.list()).toMatchObject([{ state: "completed" }, { state: "completed" }]);
});

test("a sub-agent that was cut off can be stopped: nothing says that it runs, also in the next process", async () => {
  const cut = createCut();
  await using world = await openWorld({
    Go(_, step) {
      if (step === 0) return start({ message: "dig" });
      if (step === 1) return { items: [{ call: "interrupt_agent", arguments: { target: "dig" } }] };
      return step === 2 ? { items: [{ call: "wait_agent", arguments: {} }] } : say("End.");
    },
    dig: () => cut.answer(),
  });
  await runUntilKilled(world, cut.hangs);
  const store = openStore(world);
  const thread: Thread = await world.openThread({ store, resume: "last", config });
  await runToEnd(thread, "More");
  expect(outputsOf(world.model.requests.at(-1)).slice(1)).toEqual([
    "Sub-agent dig (thread ID): stopped",
    "No sub-agent runs.",
  ]);
  await thread[Symbol.asyncDispose]();
  await using again = await world.openThread({ store, resume: "last", config });
  expect(again.agents.list()).toMatchObject([{ name: "dig", state: "stopped" }]);
  expect(again.agents.takeReports()).toEqual([]);
});

test("a sub-agent that continues has the sandbox, the tools, the folder and the spendings that it had", async () => {
  const patch = "*** Begin Patch\n*** Add File: made\n+x\n*** End Patch";
  const cached = { input_tokens_details: { cached_tokens: 600 } };
  const use = { usage: { input_tokens: 1_000, output_tokens: 0, total_tokens: 1_000, ...cached } };
  await using world = await openWorld(
    {
      Ask(_, step) {
        if (step === 0) return start({ message: "try", sandbox: "read-only", tools: ["apply_patch"], folder: "sub" });
        const message = step === 1 ? "Now." : "And now.";
        if (step === 1 || step === 3)
          return { items: [{ call: "send_message", arguments: { target: "try", message } }] };
        return step === 2 || step === 4 ? { items: [{ call: "wait_agent", arguments: {} }] } : say("End.");
      },
      try: (_, step) =>
        step === 1 ? { items: [{ custom: "apply_patch", input: patch }], ...use } : { ...say("Hm."), ...use },
    },
    { files: { "sub/file": "x" } },
  );
  const store = openStore(world);
  await using thread = await world.openThread({ config: [...config, "agents.max_tokens=3000"], store });
  const { events, outcome } = await runToEnd(thread, "Ask");
  expect(outcome).toMatchObject({ finalMessage: "End." });
  const ofChild = world.model.requests.filter(({ raw }) => raw.toString().includes('"text":"try"'));
  expect(ofChild.map(toolsOf)).toEqual([["apply_patch"], ["apply_patch"], ["apply_patch"]]);
  expect(outputsOf(ofChild.at(-1)).at(-1)).toContain("read-only");
  expect([existsSync(join(world.work, "made")), existsSync(join(world.work, "sub/made"))]).toEqual([false, false]);
  const [, , third] = ofChild.map(({ raw }) => raw.toString().includes(join(world.work, "sub")));
  expect(third).toBe(true);
  const last = callsIn(events).findLast(({ tool }) => tool === "wait_agent");
  expect(last?.output).toContain(
    "The budget of the sub-agent is used up (max_tokens): 3000 of 3000 tokens were used. Raise agents.max_tokens",
  );
  const used = { name: "try", tokens: 3_000, cached_tokens: 1_800 };
  expect(events.at(-1)).toMatchObject({ type: "turn.completed", agents: [used] });
});

test("the report of a sub-agent that ended in the background outlasts the process, and the model gets it once", async () => {
  const cached = { input_tokens_details: { cached_tokens: 6 } };
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "look", wait: false }) : say("It works.")),
    look: () => ({ ...say("Found it."), usage: { input_tokens: 9, output_tokens: 1, total_tokens: 10, ...cached } }),
  });
  const store = openStore(world);
  const first = await world.openThread({ config, store });
  await runToEnd(first, "Ask");
  await first.agents.untilIdle(new AbortController().signal);
  await first[Symbol.asyncDispose]();
  const reports = (): number =>
    (world.model.requests.at(-1)?.input ?? []).filter((item) => JSON.stringify(item).includes("Found it.")).length;
  const [agent] = first.agents.list();
  for (const expected of [1, 1]) {
    await using again = await world.openThread({ config, store, resume: first.id });
    expect(again.agents.list()).toEqual([agent]);
    await runToEnd(again, "More");
    expect(reports()).toBe(expected);
  }
  expect(agent?.cached_tokens).toBe(6);
  const { cached_tokens: _, ...older } = agent ?? {};
  rewrite(world, first.id, (text) => text.replaceAll(',"cached_tokens":6,"cost"', ',"cost"')); // as earlier versions saved it
  await using old = await world.openThread({ config, store, resume: first.id });
  expect(old.agents.list()).toEqual([older]);
});

test("a sub-agent that was cut off in the background is reported at the next request, and continues when it is waited for", async () => {
  await using world = await openWorld({
    Ask(_, step) {
      if (step === 0) return start({ message: "look", wait: false });
      return step === 2 ? { items: [{ call: "wait_agent", arguments: {} }] } : say("End.");
    },
    look: (_, step) => say(step === 0 ? "Half." : "All."),
  });
  const store = openStore(world);
  const first = await world.openThread({ config, store });
  await runToEnd(first, "Ask");
  await first.agents.untilIdle(new AbortController().signal);
  await first[Symbol.asyncDispose]();
  const id = first.agents.list()[0]?.thread_id ?? "";
  rewrite(world, id, (text) => text.slice(0, text.slice(0, text.indexOf('"turn.ended"')).lastIndexOf("\n") + 1)); // as a kill leaves it
  await using again = await world.openThread({ config, store, resume: first.id });
  expect(again.agents.list()).toMatchObject([{ name: "look", state: "stopped" }]);
  await runToEnd(again, "More");
  const texts = (world.model.requests.at(-1)?.input ?? []).map((item) => hideIds(JSON.stringify(item)));
  expect(texts.filter((text) => text.includes("was running when the program ended; 0 turns kept"))).toHaveLength(1);
  expect(outputsOf(world.model.requests.at(-1)).at(-1)).toContain("All.");
});

test("a thread whose limit of depth was lowered starts no more sub-agents, and no two have the same name", async () => {
  await using world = await openWorld({
    Ask: (request) =>
      outputsOf(request).length === 0
        ? start({ message: "a", task_name: "x" }, { message: "b", task_name: "x" })
        : say("End."),
    a: () => say("A."),
    b: () => say("B."),
    More: () => say("Yes."),
  });
  await using thread = await world.openThread({ config });
  const { events } = await runToEnd(thread, "Ask");
  expect(
    callsIn(events)
      .map(({ agent }) => agent?.name)
      .toSorted((a = "", b = "") => (a < b ? -1 : 1)),
  ).toEqual(["x", "x 2"]);
  const store = openStore(world);
  const first = await world.openThread({ config, store });
  await runToEnd(first, "More");
  await first[Symbol.asyncDispose]();
  await using again = await world.openThread({ config: [...config, "agents.max_depth=0"], store, resume: first.id });
  const ran = await runToEnd(again, "Ask");
  expect(callsIn(ran.events).map(({ reason }) => reason)).toEqual(
    Array.from(
      { length: 2 },
      () =>
        "It was not started. Sub-agents nest at most 0 deep, which is the limit (agents.max_depth). Do the task yourself.",
    ),
  );
});

/** Changes the file of a saved thread. */
function rewrite(world: ThreadWorld, id: string, change: (text: string) => string): void {
  const path = filesOf(world).find((name) => name.includes(id)) ?? "";
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

/** The file of a saved thread that has this text. */
function textOf(world: ThreadWorld, part: string): string {
  const texts = filesOf(world).map((path) => readFileSync(path, "utf8"));
  return texts.find((text) => text.includes(part)) ?? "";
}

function filesOf({ home }: ThreadWorld): readonly string[] {
  const sessions = join(home, ".codex/sessions");
  const names = readdirSync(sessions, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(sessions, name));
}
