import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Journal, JournalEntry, ThreadEvent } from "@unroll/protocol";
import type { Turn } from "@unroll/scripted-model";
import { describe, expect, test } from "vitest";
import { openThreadWorld, type RanTurn, runToEnd, type ThreadSettings, type ThreadWorld } from "./thread-world.ts";

const answer: Turn = { items: [{ text: "Done." }] };

async function openWorld(configFile = "", turns: readonly Turn[] = [answer, answer, answer]): Promise<ThreadWorld> {
  const world = await openThreadWorld({ script: { turns } });
  await mkdir(join(world.home, ".codex"));
  await writeFile(join(world.home, ".codex/config.toml"), configFile);
  return world;
}

/** Opens a thread, runs one turn in it, and closes it. */
async function runOnce(world: ThreadWorld, settings: ThreadSettings): Promise<RanTurn> {
  await using thread = await world.openThread(settings);
  return await runToEnd(thread, "Go");
}

function listWarnings(events: readonly ThreadEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "warning" ? [event.message] : []));
}

/** The fields of each request that control how the model works. */
function listSent({ model }: ThreadWorld): readonly unknown[] {
  return model.requests.map(({ body }) => ({ reasoning: body["reasoning"], text: body["text"] }));
}

function collect(entries: JournalEntry[]): Journal {
  return { record: (entry) => void entries.push(entry), settled: async () => {} };
}

describe("the first request says how the model works", () => {
  test.for([
    ["gpt-6.1-sol", { effort: "low", summary: "auto", context: "all_turns" }, { verbosity: "low" }],
    ["gpt-5.6", { effort: "low", summary: "auto", context: "all_turns" }, { verbosity: "low" }],
    ["gpt-5.2", { effort: "medium", summary: "auto" }, { verbosity: "low" }],
    ["gpt-5.1", { effort: "medium", summary: "auto" }, { verbosity: "low" }],
    ["gpt-4.1", undefined, undefined],
    ["o3", { summary: "auto" }, undefined],
  ] as const)("%s", async ([model, reasoning, text]) => {
    await using world = await openWorld();
    await runOnce(world, { config: [`model=${model}`] });
    expect(listSent(world)).toEqual([{ reasoning, text }]);
  });
});

describe("a resumed thread", () => {
  const fast = `model_reasoning_effort = "low"\nmodel_verbosity = "high"\nmodel_reasoning_context = "current_turn"\n`;
  const sent = (effort?: string, verbosity?: string, context?: string): unknown => ({
    reasoning: { ...(effort && { effort }), summary: "auto", ...(context && { context }) },
    text: verbosity && { verbosity },
  });

  test("keeps the settings that it sent, whatever the config says now, except for arguments", async () => {
    await using world = await openWorld(fast);
    const entries: JournalEntry[] = [];
    await runOnce(world, { config: ["model=gpt-5.6"], journal: collect(entries) });
    await writeFile(join(world.home, ".codex/config.toml"), `model_reasoning_effort = "max"\n`);
    await runOnce(world, { config: ["model=gpt-5.6"], entries });
    await runOnce(world, { config: ["model=gpt-5.6", "model_reasoning_effort=high"], entries });
    expect(listSent(world)).toEqual([
      sent("low", "high", "current_turn"),
      sent("low", "high", "current_turn"),
      sent("high", "high", "current_turn"),
    ]);
  });

  test("keeps the sandbox and the approval policy that were set last, except what an argument sets", async () => {
    await using world = await openWorld(`sandbox_mode = "read-only"\napproval_policy = "untrusted"\n`);
    const entries: JournalEntry[] = [];
    const data = join(world.home, "data");
    await using thread = await world.openThread({ permissions: [], journal: collect(entries) });
    await runToEnd(thread, "Go");
    const { sandboxSettings: configured } = thread.config;
    const work = { ...configured, mode: "workspace-write", writableRoots: [data], networkAccess: true } as const;
    thread.change({ sandboxSettings: work, approvalPolicy: "never" }); // after the turn: a killed process lost it before
    const hidden = join(world.home, "hidden");
    await writeFile(join(world.home, ".codex/config.toml"), `[sandbox]\ndeny_read = ["${hidden}"]\n`);
    const reopen = async (config: readonly string[]): Promise<object> => {
      await using resumed = await world.openThread({ permissions: [], config, entries: [...entries] });
      const { approvalPolicy, sandboxSettings } = resumed.config;
      const { mode, writableRoots, networkAccess, denyRead } = sandboxSettings;
      return { approvalPolicy, mode, writableRoots, networkAccess, hides: denyRead.includes(hidden) };
    };
    const last = {
      approvalPolicy: "never",
      mode: "workspace-write",
      writableRoots: [data],
      networkAccess: true,
      hides: true,
    };
    expect(await reopen([])).toEqual(last);
    expect(await reopen(["approval_policy=on-request", "sandbox_workspace_write.network_access=false"])).toEqual({
      ...last,
      approvalPolicy: "on-request",
      networkAccess: false,
    });
    expect(await reopen(["sandbox_mode=read-only"])).toMatchObject({ approvalPolicy: "never", mode: "read-only" });
  });

  test("keeps an effort that was changed in it", async () => {
    await using world = await openWorld();
    const entries: JournalEntry[] = [];
    await using thread = await world.openThread({ config: ["model=gpt-5.2"], journal: collect(entries) });
    thread.change({ reasoningEffort: "xhigh", verbosity: null });
    await runToEnd(thread, "Go");
    await using resumed = await world.openThread({ config: ["model=gpt-5.2"], entries: [...entries] });
    expect(resumed.config).toMatchObject({ reasoningEffort: "xhigh", verbosity: null });
    await runToEnd(resumed, "Go on");
    expect(listSent(world)).toEqual([sent("xhigh"), sent("xhigh")]);
  });

  test("sends nothing new where an earlier version began it, and says that its model will not reason", async () => {
    await using world = await openWorld();
    const entries: JournalEntry[] = [];
    await runOnce(world, { config: ["model=gpt-5.2"], journal: collect(entries) });
    const earlier = entries.map((entry) => asEarlier(entry));
    const { events } = await runOnce(world, { config: ["model=gpt-5.2"], entries: earlier });
    await runOnce(world, { config: ["model=gpt-5.2", "model_verbosity=medium"], entries: earlier });
    expect(listSent(world)).toEqual([sent("medium", "low"), sent(), sent(undefined, "medium")]);
    expect(listWarnings(events)).toEqual([
      "gpt-5.2 will not reason in this thread: unroll sends no effort, and the server's default is none. For harder tasks, set model_reasoning_effort to one of low, medium, high, xhigh.",
    ]);
  });

  test("of the Codex CLI sends what that sent: the effort that it recorded, else the catalogue's", async () => {
    await using world = await openWorld();
    const entries: JournalEntry[] = [];
    await runOnce(world, { config: ["model=gpt-5.2"], journal: collect(entries) });
    const settings = entries.flatMap((entry) => (entry.type === "settings" ? [asEarlier(entry)] : []));
    const opened = { type: "thread.opened", threadId: "x", model: "", provider: "", head: null } as const;
    const resumed: JournalEntry[] = [opened, ...settings];
    await runOnce(world, { config: ["model=gpt-5.2"], entries: resumed, journal: collect(resumed) });
    const set = resumed.findLast((entry) => entry.type === "settings");
    const after = set === undefined ? [] : [asEarlier(set, "high")];
    await runOnce(world, { config: ["model=gpt-5.2"], entries: [...resumed, ...after] });
    expect(listSent(world)).toEqual([sent("medium", "low"), sent("medium", "low"), sent("high", "low")]);
  });

  test("with another model sends what the config says for that one, and its own effort for one that it does not take", async () => {
    const announced = { ...answer, newEpoch: true };
    await using world = await openWorld(`model_reasoning_effort = "max"\n`, [answer, announced]);
    const entries: JournalEntry[] = [];
    await runOnce(world, { config: ["model=gpt-5.6"], journal: collect(entries) });
    const settings = { config: ["model=gpt-5.2"], entries, allowCacheBreak: true };
    const { events } = await runOnce(world, settings);
    expect(listSent(world)).toEqual([sent("max", "low", "all_turns"), sent("medium", "low")]);
    expect(listWarnings(events)).toEqual([
      'gpt-5.2 does not support effort "max", only none, low, medium, high, xhigh. Using medium instead.',
    ]);
    const named = { ...settings, config: [...settings.config, "model_reasoning_effort=max"] };
    await expect(world.openThread(named)).rejects.toMatchObject({ code: "value_invalid" });
  });

  /** As those write it down that say nothing of a verbosity. */
  function asEarlier(entry: JournalEntry, reasoningEffort: string | null = null): JournalEntry {
    if (entry.type !== "settings") return entry;
    const { verbosity: _verbosity, reasoningContext: _context, ...settings } = entry.settings;
    return { type: "settings", settings: { ...settings, reasoningEffort } };
  }
});

test("a thread is not opened with an effort that its model is known not to take, wherever it is set", async () => {
  await using world = await openWorld(`model_reasoning_effort = "minimal"\n`);
  const taken = 'gpt-5.2 does not support effort "minimal", only none, low, medium, high, xhigh.';
  const file = join(world.home, ".codex/config.toml");
  await expect(world.openThread({ config: ["model=gpt-5.2"] })).rejects.toMatchObject({
    name: "ConfigError",
    code: "value_invalid",
    message: `${file}:1:1: model_reasoning_effort: ${taken}`,
    file,
  });
  const argument = ["model=gpt-5.2", "model_reasoning_effort=minimal"];
  await expect(world.openThread({ config: argument })).rejects.toThrow(`-c: model_reasoning_effort: ${taken}`);
  await using thread = await world.openThread({ config: ["model=gpt-5.2", "model_reasoning_effort=high"] });
  expect(() => thread.change({ reasoningEffort: "minimal" })).toThrow(`change: ${taken}`);
  await runToEnd(thread, "Go");
  expect(world.model.requests[0]?.body).toMatchObject({ reasoning: { effort: "high" } });
});

test.for([
  [
    ["model=gpt-5.4", "model_reasoning_effort=none"],
    ["gpt-5.4 will not reason in this thread: its effort is none (-c)."],
  ],
  [["model=gpt-5.4"], []],
  [["model=gpt-5.4-mini"], []],
] as const)("a thread says at its start that its model will not reason: %j", async ([config, told]) => {
  await using world = await openWorld();
  const { events } = await runOnce(world, { config });
  expect(listWarnings(events)).toEqual(told.map((text) => expect.stringContaining(text) as string));
});

test("an effort that is set for a model of which nobody knows what it takes is sent, at the start and later", async () => {
  await using world = await openWorld();
  await using thread = await world.openThread({ config: ["model=llama-9"] });
  await runToEnd(thread, "Go");
  thread.change({ reasoningEffort: "high" });
  await runToEnd(thread, "Go on");
  expect(listSent(world)).toEqual([
    { reasoning: undefined, text: undefined },
    { reasoning: { effort: "high", summary: "auto" }, text: undefined },
  ]);
});
