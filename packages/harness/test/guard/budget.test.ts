import { createBudget, type Thread } from "@unroll/harness";
import type { Journal, JournalEntry, ResponseUsage } from "@unroll/protocol";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { notes, openPrintingWorld, playWith, print, say } from "../compaction-world.ts";
import { openThreadWorld, runToEnd } from "../thread-world.ts";

const used = (input: number, output: number): ResponseUsage => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  total_tokens: input + output,
});
const run = (
  command: string,
  usage: Turn extends { usage: infer U } ? U : ResponseUsage | null = used(100, 10),
): Turn => ({
  items: [{ call: "exec_command", arguments: { cmd: command, login: false } }],
  usage,
});
const said = (text: string, usage: ResponseUsage | null = used(100, 10)): Turn => ({ items: [{ text }], usage });

function createJournal(): { readonly journal: Journal; readonly entries: readonly JournalEntry[] } {
  const entries: JournalEntry[] = [];
  return { entries, journal: { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() } };
}

test("a turn ends before the request that its budget does not allow, and says which limit it was", async () => {
  await using world = await openThreadWorld({ script: { turns: [run("echo 1"), run("echo 2"), said("Never.")] } });
  await using thread = await world.openThread({ config: ["budget.max_turns=2"] });
  const { events, outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({
    type: "failed",
    error: {
      code: "budget_exhausted",
      message:
        "The budget of the run is used up (max_turns): 2 of 2 requests to the model were made. Raise max_turns, and resume the thread.",
      budget: { limit: "max_turns", of: "run", max: 2, spent: 2 },
    },
  });
  expect(events.filter(({ type }) => type === "budget.updated")).toEqual(
    [1, 2, 2].map((spent) => ({ type: "budget.updated", limits: [{ limit: "max_turns", of: "run", max: 2, spent }] })),
  );
  expect(events.at(-1)?.type).toBe("turn.failed");
  expect(world.model.requests).toHaveLength(2);
});

test("a run's limit restarts with each turn; a thread's limit does not, not even after a resume", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("1"), said("2"), said("3")] } });
  const { journal, entries } = createJournal();
  const config = ["budget.max_turns=1", "budget.thread.max_turns=3", "budget.thread.max_tokens=100000"];
  const first = await world.openThread({ config, journal });
  for (const input of ["a", "b"]) expect((await runToEnd(first, input)).outcome.type).toBe("completed");
  await first[Symbol.asyncDispose]();
  await using second = await world.openThread({ config, journal, entries: [...entries] });
  expect(second.budget.spent).toEqual({ turns: 2, tokens: 220, cost: 0 });
  expect((await runToEnd(second, "c")).outcome.type).toBe("completed");
  expect((await runToEnd(second, "d")).outcome).toMatchObject({
    error: { code: "budget_exhausted", budget: { limit: "max_turns", of: "thread", max: 3, spent: 3 } },
  });
  expect(world.model.violations).toEqual([]);
});

test("a request that is known to lead beyond the limit of tokens is not made", async () => {
  const turns = [run("echo 1", used(4000, 10)), said("Never.")];
  await using world = await openThreadWorld({ script: { turns } }, { files: { "AGENTS.md": "x".repeat(30_000) } });
  await using thread = await world.openThread({ config: ["budget.max_tokens=8_000"] });
  const { outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({
    error: { message: expect.stringContaining("The next request needs at least 4010 more.") },
  });
  expect(world.model.requests).toHaveLength(1);
});

test("cost goes by the price of the model, with the cached input at its own", async () => {
  const price = { input: 2, cachedInput: 0.5, output: 10 };
  const usage = { ...used(1_000_000, 100_000), input_tokens_details: { cached_tokens: 400_000 } };
  await using world = await openThreadWorld({ script: { turns: [run("echo 1", usage), said("Never.")] } });
  await using thread = await world.openThread({ config: ["budget.max_cost=2.4"], priceOf: () => price });
  const { outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ error: { budget: { limit: "max_cost", of: "run", max: 2.4, spent: 2.4 } } });
});

test("a cost limit without a known price, or a limit that a silent server makes useless, is never ignored", async () => {
  await using world = await openThreadWorld({ script: { turns: [run("echo 1", null), said("Never.")] } });
  await expect(world.openThread({ config: ["budget.max_cost=1"] })).rejects.toMatchObject({ code: "unknown_price" });
  await using thread = await world.openThread({ config: ["budget.max_tokens=100000"] });
  expect((await runToEnd(thread, "Go")).outcome).toMatchObject({ error: { code: "budget_unknown" } });
});

test("when the time is up the running command is ended, its call gets an output, and the thread continues", async () => {
  await using world = await openThreadWorld({
    respond: ({ raw }) => (raw.includes("Go on") ? said("On.") : run("sleep 60")),
  });
  const { journal, entries } = createJournal();
  const first = await world.openThread({ journal, config: ["budget.max_time_sec=0.3"] });
  const { events, outcome } = await runToEnd(first, "Go");
  await first[Symbol.asyncDispose]();
  expect(outcome).toMatchObject({ type: "failed", error: { code: "budget_exhausted", budget: { limit: "max_time" } } });
  expect(events.at(-1)).toMatchObject({ type: "turn.failed", error: { code: "budget_exhausted" } });
  await using second = await world.openThread({ journal, entries: [...entries] });
  expect((await runToEnd(second, "Go on")).outcome.type).toBe("completed");
  // how far the turn came by then, the machine decides; each call has its output, or it would be a violation
  expect(JSON.stringify(world.model.requests.at(-1)?.input.at(-2))).toContain("a limit that the user set was reached");
  expect(world.model.violations).toEqual([]);
});

test("an interruption by a person stays one, whatever the budget", async () => {
  await using world = await openThreadWorld({ script: { turns: [run("echo 1")] } });
  await using thread = await world.openThread({ config: ["budget.max_time_sec=60"] });
  expect((await runToEnd(thread, "Go", { signal: AbortSignal.abort() })).outcome.type).toBe("interrupted");
});

test("what a thread spends, those pay that it has its budget from", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("1"), said("2"), said("3")] } });
  await using harness = await world.openHarness();
  const clock = { elapsed: () => 0 };
  const whole = createBudget({ clock, limits: { maxTurns: 3, maxTokens: 1000 }, of: "team" });
  await using parent = await harness.openThread({ budget: whole });
  await using child = await harness.openThread({ parent });
  await using part = await harness.openThread({ parent, budget: parent.budget.child({ maxTurns: 1 }, "helper") });
  for (const thread of [child, part]) expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
  expect((await runToEnd(part, "More")).outcome).toMatchObject({ error: { budget: { of: "helper", max: 1 } } });
  expect((await runToEnd(parent, "Go")).outcome.type).toBe("completed");
  expect((await runToEnd(parent, "More")).outcome).toMatchObject({ error: { budget: { of: "team", spent: 3 } } });
  expect(whole.spent).toEqual({ turns: 3, tokens: 330, cost: 0 });
});

test("threads side by side never pass a limit together: a request that runs counts by its estimate", async () => {
  const answer = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  await using world = await openThreadWorld({
    async respond() {
      arrived.resolve();
      await answer.promise;
      return said("Done.", used(100, 400));
    },
  });
  await using harness = await world.openHarness();
  const whole = createBudget({ clock: { elapsed: () => 0 }, limits: { maxTokens: 300 }, of: "team" });
  const opened = await Promise.all([1, 2, 3].map(() => harness.openThread({ budget: whole })));
  const turns = opened.map((thread) => runToEnd(thread, "Go"));
  await arrived.promise;
  answer.resolve();
  const outcomes = (await Promise.all(turns)).map(({ outcome }) => outcome.type);
  await Promise.all(opened.map((thread) => thread[Symbol.asyncDispose]()));
  expect(outcomes.toSorted()).toEqual(["completed", "failed", "failed"]);
  expect(world.model.requests).toHaveLength(1);
  expect(whole.spent.tokens).toBe(500);
});

test("a thread that another one opened in a turn spends from whatever turn that one is in", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("1")], atEnd: "repeat-last" } });
  await using harness = await world.openHarness({ config: ["budget.max_turns=2"] });
  await using parent = await harness.openThread();
  const opened: Thread[] = [];
  const outcomes: unknown[] = [];
  for (let n = 0; n < 2; n += 1) {
    for await (const event of parent.run("Go", { signal: new AbortController().signal })) {
      if (event.type !== "turn.started") continue;
      opened[0] ??= await harness.openThread({ parent });
      for (const input of ["a", "b", "c"]) outcomes.push((await runToEnd(opened[0], input)).outcome.type);
    }
  }
  expect(outcomes).toEqual(["completed", "completed", "failed", "completed", "completed", "failed"]);
  expect(parent.budget.spent.turns).toBe(4);
});

test("a compaction may use up the budget: it is finished, and nothing is sent after it", async () => {
  await using world = await openPrintingWorld({
    respond: playWith([print(30_000), print(30_000), say("Never.")], [say(notes)]),
  });
  const config = ["model_auto_compact_token_limit=12000", "budget.max_turns=3"];
  await using thread = await world.openThread({ config });
  const { events, outcome } = await runToEnd(thread, "Count.");
  expect(outcome).toMatchObject({ error: { code: "budget_exhausted", budget: { limit: "max_turns", spent: 3 } } });
  expect(events.some(({ type }) => type === "epoch.opened")).toBe(true);
  expect(world.model.requests).toHaveLength(3);
});
