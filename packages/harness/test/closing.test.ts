import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createMemoryPatchFiles } from "@unroll/apply-patch";
import type { Executor } from "@unroll/harness";
import type { PromptFiles } from "@unroll/prompt";
import { nodePromptFiles } from "@unroll/prompt/node";
import type { Journal, JournalEntry, Person, ThreadEvent, ThreadStore } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import { defineTool, type Tool } from "@unroll/tools";
import { expect, test } from "vitest";
import * as z from "zod";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const said = (text: string) => ({ items: [{ text }] });
const shell = (command: string, rest: object = {}) => ({
  items: [{ call: "exec_command", arguments: { cmd: command, login: false, ...rest } }],
});
const calling = (call: string) => ({ items: [{ call, arguments: {} }] });
const never = new AbortController().signal;

/** A tool that says when it started, and waits until it is aborted. */
function createSlowTool(): { readonly tool: Tool; readonly started: Promise<void> } {
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "slow",
    description: "Waits.",
    input: z.strictObject({}),
    run: async (_input, { signal }) =>
      new Promise<string>((done) => {
        signal.addEventListener("abort", () => done("stopped"));
        resolve();
      }),
  });
  return { tool, started };
}

test("closing a thread stops its turn, which ends interrupted and asks the model nothing more", async () => {
  await using world = await openThreadWorld({ script: { turns: [calling("slow"), said("Still at work.")] } });
  const { tool, started } = createSlowTool();
  const thread = await world.openThread({ tools: [tool] });
  const run = runToEnd(thread, "Go");
  await started;
  await thread[Symbol.asyncDispose]();
  expect((await run).outcome.type).toBe("interrupted");
  expect(world.model.requests).toHaveLength(1);
});

test("a closed thread refuses a turn, a message and a change", async () => {
  await using world = await openThreadWorld({ script: { turns: [] } });
  const thread = await world.openThread();
  await thread[Symbol.asyncDispose]();
  const closed = expect.objectContaining({ name: "HarnessError", code: "closed" });
  await expect(runToEnd(thread, "Go")).rejects.toEqual(closed);
  await expect(thread.send("Go")).rejects.toEqual(closed);
  expect(() => thread.change({ cwd: world.home })).toThrow(closed);
});

test("a harness that closes while a thread opens leaves none behind, and opens none later", async () => {
  await using world = await openThreadWorld({ script: { turns: [] } });
  const harness = await world.openHarness();
  const opening = harness.openThread();
  await harness[Symbol.asyncDispose]();
  await expect(opening).rejects.toMatchObject({ code: "closed" });
  await expect(harness.openThread()).rejects.toMatchObject({ code: "closed" });
});

test("a harness that cannot save one of its threads has closed the others when it says so", async () => {
  await using world = await openThreadWorld({ script: { turns: [] } });
  const files = openThreadStore({ codexHome: join(world.home, ".codex"), clock: { now: Date.now }, pid: process.pid });
  const fault = new Error("No space is left.");
  const ends = [() => Promise.reject(fault), () => new Promise<void>(setImmediate)];
  const closed: number[] = [];
  const store: ThreadStore = {
    ...files,
    async create(meta, first) {
      const index = 2 - ends.length;
      const end = ends.shift();
      const journal = await files.create(meta, first);
      return {
        isKept: false,
        record: (entry) => journal.record(entry),
        settled: () => journal.settled(),
        async [Symbol.asyncDispose]() {
          await end?.();
          closed.push(index);
        },
      };
    },
  };
  const harness = await world.openHarness({ store });
  await harness.openThread();
  await harness.openThread();
  await expect(harness[Symbol.asyncDispose]()).rejects.toBe(fault);
  expect(closed).toEqual([1]);
});

test("a thread whose parent closes while it opens is not left behind", async () => {
  await using world = await openThreadWorld({ script: { turns: [] } });
  await using harness = await world.openHarness();
  const parent = await harness.openThread();
  const opening = harness.openThread({ parent });
  await parent[Symbol.asyncDispose]();
  await expect(opening.then(async (child) => runToEnd(child, "Go"))).rejects.toMatchObject({ code: "closed" });
});

test("a harness that closes withdraws the question of a thread that is opening", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One.")] } });
  const store = openThreadStore({ codexHome: join(world.home, ".codex"), clock: { now: Date.now }, pid: process.pid });
  const first = await world.openThread({ store });
  await runToEnd(first, "a");
  await first[Symbol.asyncDispose]();
  const asked = Promise.withResolvers<void>();
  const person: Person = { answer: () => (asked.resolve(), new Promise<never>(() => {})) };
  const harness = await world.openHarness({ store, person, config: ["model=gpt-5"] });
  const opening = harness.resumeThread(first.id);
  await asked.promise;
  await Promise.all([expect(opening).rejects.toMatchObject({ code: "closed" }), harness[Symbol.asyncDispose]()]);
});

test("a message that is still being read when its thread closes is kept", async () => {
  const skill = "---\nname: plan\ndescription: Plans.\n---\nPlan it.";
  const files = { ".agents/skills/plan/SKILL.md": skill };
  await using world = await openThreadWorld({ script: { turns: [said("One.")] } }, { files });
  const [reading, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isSlow = false;
  const promptFiles: PromptFiles = {
    ...nodePromptFiles,
    async read(path, maxBytes) {
      if (isSlow) await (reading.resolve(), read.promise);
      return nodePromptFiles.read(path, maxBytes);
    },
  };
  const outputFiles = { open: async () => null, [Symbol.asyncDispose]: async () => {} };
  const executor: Executor = {
    promptFiles,
    patchFiles: createMemoryPatchFiles({}),
    openOutputFiles: () => outputFiles,
    runner: { run: unused, startBackgroundCommand: unused },
  };
  const entries: JournalEntry[] = [];
  const journal: Journal = { record: (entry) => void entries.push(entry), settled: async () => {} };
  const trust = `projects.${JSON.stringify(world.work)}.trust_level="trusted"`;
  const thread = await world.openThread({ executor: executor, journal, config: [trust] });
  await runToEnd(thread, "a");
  isSlow = true;
  const sending = thread.send("b $plan");
  await reading.promise;
  let isClosed = false;
  const close = async (): Promise<void> => {
    await thread[Symbol.asyncDispose]();
    isClosed = true;
  };
  const closing = close();
  for (let tick = 0; tick < 50; tick += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  read.resolve();
  await Promise.all([sending, closing]);
  expect(JSON.stringify(entries.findLast(({ type }) => type === "note"))).toContain("Plan it.");
});

function unused(): never {
  throw new Error("No command runs here.");
}

test("closing a thread ends, and says why, where its journal breaks meanwhile", async () => {
  await using world = await openThreadWorld({ script: { turns: [calling("slow")] } });
  const { tool, started } = createSlowTool();
  let isBroken = false;
  const record = (): void => {
    if (isBroken) throw new Error("no space left on the disk");
  };
  const thread = await world.openThread({ tools: [tool], journal: { record, settled: async () => {} } });
  const run = runToEnd(thread, "Go");
  await started;
  isBroken = true;
  await expect(thread[Symbol.asyncDispose]()).rejects.toThrow("no space left on the disk");
  expect((await run).outcome.type).toBe("interrupted");
});

test("wherever the consumer of a turn leaves, readers hear its end once, and the budget pays for its answers", async () => {
  const turns = [
    { items: [{ call: "update_plan", arguments: { plan: [{ step: "Look", status: "pending" }] } }] },
    said("Done."),
  ];
  for (let left = 1, isOver = false; !isOver; left++) {
    await using world = await openThreadWorld({ script: { turns } });
    const thread = await world.openThread({ config: ["budget.thread.max_tokens=1_000_000"] });
    const events = thread.events();
    let read = 0;
    isOver = true;
    for await (const _ of thread.run("Go", { signal: never })) {
      if ((read += 1) < left) continue;
      isOver = false;
      break;
    }
    await thread[Symbol.asyncDispose]();
    const told: ThreadEvent[] = [];
    for await (const { event } of events) told.push(event);
    const ends = told.flatMap((event) =>
      event.type === "turn.completed" || event.type === "turn.failed" ? [event.usage] : [],
    );
    const paid = thread.budget.spent.tokens;
    expect(ends.map((usage) => usage.input_tokens + usage.output_tokens)).toEqual([paid]);
  }
});

test("an effort changed in the middle of a turn holds from its next request", async () => {
  await using world = await openThreadWorld({ script: { turns: [shell("echo hi"), said("Done.")] } });
  await using thread = await world.openThread();
  for await (const { type } of thread.run("Go", { signal: never }))
    if (type === "item.started") thread.change({ reasoningEffort: "high" });
  const efforts = world.model.requests.map(
    ({ body }) => (body as { reasoning?: { effort?: string } }).reasoning?.effort,
  );
  expect(efforts).toEqual(["medium", "high"]);
});

test("a change while the model gives its answer makes no request of its own", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("Done."), said("What?")] } });
  await using thread = await world.openThread();
  for await (const { type } of thread.run("Go", { signal: never }))
    if (type === "item.completed") thread.change({ approvalPolicy: "untrusted" });
  expect(world.model.requests).toHaveLength(1);
});

test("a journal begins with the thread; changes that were never sent reach the model after a resume", async () => {
  const person: Person = { answer: () => Promise.resolve({ type: "denied", reason: "" }) };
  const entries: JournalEntry[] = [];
  const journal: Journal = { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() };
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  const first = await world.openThread({ journal, person, config: ["sandbox_mode=read-only"] });
  await runToEnd(first, "a");
  first.change({ approvalPolicy: "untrusted" });
  await first[Symbol.asyncDispose]();
  expect(entries[0]?.type).toBe("thread.opened");
  const config = ["sandbox_mode=read-only", "approval_policy=untrusted"];
  await using second = await world.openThread({ person, entries: [...entries], config });
  await runToEnd(second, "b");
  expect(world.model.requests[1]?.raw.toString()).toContain("# Approvals: untrusted");
});

test("calls that the journal stops are seen, each with why, and none runs", async () => {
  const failures = [null, new Error("no space left on the disk")];
  const settled = async (): Promise<void> => {
    const failure = failures.shift() ?? null;
    if (failure !== null) throw failure;
  };
  const touch = (file: string) => ({ call: "exec_command", arguments: { cmd: `touch ${file}` } });
  await using world = await openThreadWorld({ script: { turns: [{ items: [touch("a"), touch("b")] as never }] } });
  await using thread = await world.openThread({ journal: { record: () => {}, settled } });
  const { events, outcome } = await runToEnd(thread, "Go");
  const cause = "The thread cannot be saved: no space left on the disk";
  expect(outcome).toMatchObject({ type: "failed", error: { code: "journal_failed", message: cause } });
  const item: unknown = expect.objectContaining({ status: "failed", reason: `It was not run. ${cause}` });
  expect(events.filter(({ type }) => type === "item.completed")).toEqual([
    { type: "item.completed", item },
    { type: "item.completed", item },
  ]);
  expect(await readdir(world.work)).toEqual([]);
});

test("a thread cannot be resumed with a model that it was not started with", async () => {
  const entries: JournalEntry[] = [];
  const journal: Journal = { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() };
  await using world = await openThreadWorld({ script: { turns: [said("One.")] } });
  const first = await world.openThread({ journal });
  await runToEnd(first, "a");
  await first[Symbol.asyncDispose]();
  const second = world.openThread({ entries: [...entries], config: ["model=gpt-5.2"] });
  await expect(second).rejects.toMatchObject({ code: "other_model" });
});

test("rules that are allowed always in two threads of one harness at once are both written", async () => {
  const person: Person = {
    answer: (question) => {
      const prefix = question.type === "command.approval" ? question.proposedPrefix : null;
      return Promise.resolve({ type: "approved.always", prefix: prefix ?? [] });
    },
  };
  await using world = await openThreadWorld({
    script: { turns: [shell("git init -q one"), shell("git add two"), said("1"), said("2")] },
  });
  await using harness = await world.openHarness({ config: ["approval_policy=untrusted", "sandbox_mode=read-only"] });
  const threads = await Promise.all([harness.openThread({ person }), harness.openThread({ person })]);
  await Promise.all(threads.map(async (thread) => runToEnd(thread, "Go")));
  const rules = await readFile(join(world.home, ".codex/rules/default.rules"), "utf8");
  expect(rules.split("\n").sort()).toEqual([
    "",
    'prefix_rule(pattern=["git", "add"], decision="allow")',
    'prefix_rule(pattern=["git", "init"], decision="allow")',
  ]);
});
