import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ThreadStore } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

/** As in packages/rollout/test/one-writer.test.ts. */
const kills = Number(process.env["UNROLL_KILLS"] ?? 3);
const said = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });

function openStore(world: ThreadWorld): ThreadStore {
  const codexHome = join(world.home, ".codex");
  return openThreadStore({ codexHome, clock: { now: Date.now }, pid: process.pid });
}

test("a thread of the store is resumed by its id or as the last one, and its prefix holds", async () => {
  const run = { call: "exec_command", arguments: { cmd: "echo é", login: false } };
  await using world = await openThreadWorld({
    script: { turns: [{ items: [run] }, said("One."), said("Two."), said("Three.")] },
  });
  const first = await world.openThread({ store: openStore(world) });
  await runToEnd(first, "a");
  await first[Symbol.asyncDispose]();
  await using harness = await world.openHarness({ store: openStore(world) });
  for (const [id, input] of [
    [first.id, "b"],
    ["last", "c"],
  ] as const) {
    const thread = await harness.resumeThread(id);
    expect(thread.id).toBe(first.id);
    const { outcome } = await runToEnd(thread, input);
    expect(outcome.type).toBe("completed");
    await thread[Symbol.asyncDispose]();
  }
  expect(world.model.violations).toEqual([]);
  const lengths = world.model.requests.map(({ input }) => input.length);
  expect(lengths.slice(2)).toEqual([(lengths[1] ?? 0) + 2, (lengths[1] ?? 0) + 4]);
});

test("a fork begins as the thread does, up to a turn, and leaves it as it is", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two."), said("Three.")] } });
  await using harness = await world.openHarness({ store: openStore(world) });
  await using thread = await harness.openThread();
  await runToEnd(thread, "a");
  await runToEnd(thread, "b");
  await using silent = await harness.forkThread(thread.id); // it gets no message, so it is not saved
  await silent[Symbol.asyncDispose]();
  await using fork = await harness.forkThread(thread.id, { at: 1 });
  expect(fork.id).not.toBe(thread.id);
  await runToEnd(fork, "c");
  const [, second, forked] = world.model.requests.map(({ input }) => input);
  expect(forked?.slice(0, -1)).toEqual(second?.slice(0, -1));
  expect(forked?.at(-1)).toMatchObject({ content: [{ text: "c" }] });
  await expect(harness.forkThread(thread.id, { at: 7 })).rejects.toMatchObject({ code: "thread_missing" });
  const ids: string[] = [];
  for await (const { threadId } of openStore(world).list()) ids.push(threadId);
  expect(ids.toSorted()).toEqual([thread.id, fork.id].toSorted());
});

test("a thread that is resumed or forked as ephemeral sends its earlier messages and saves nothing", async () => {
  const turns = [said("One."), said("Two."), said("Three.")];
  await using world = await openThreadWorld({ script: { turns } });
  const store = openStore(world);
  await using harness = await world.openHarness({ store });
  const thread = await harness.openThread();
  await runToEnd(thread, "a");
  await thread[Symbol.asyncDispose]();
  const { entries } = await store.load(thread.id);
  await using passing = await harness.resumeThread("last", { ephemeral: true });
  expect(passing.id).toBe(thread.id);
  await runToEnd(passing, "b");
  await using copy = await harness.forkThread(thread.id, { ephemeral: true });
  await runToEnd(copy, "c");
  const sent = world.model.requests.slice(1).map(({ input }) => JSON.stringify(input).includes("One."));
  expect(sent).toEqual([true, true]);
  expect((await store.load(thread.id)).entries).toEqual(entries);
  const kept: string[] = [];
  for await (const { threadId } of store.list()) kept.push(threadId);
  expect(kept).toEqual([thread.id]);
});

test("an ephemeral thread is not saved, an open one cannot be resumed, and without a store nothing can", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  const store = openStore(world);
  await using harness = await world.openHarness({ store });
  await using passing = await harness.openThread({ ephemeral: true });
  await runToEnd(passing, "a");
  await expect(harness.resumeThread("last")).rejects.toMatchObject({ code: "thread_missing" });
  await using thread = await harness.openThread();
  await runToEnd(thread, "b");
  await expect(harness.resumeThread(thread.id)).rejects.toMatchObject({ code: "thread_locked" });
  await using other = await world.openHarness();
  await expect(other.resumeThread("last")).rejects.toMatchObject({ code: "no_thread_store" });
});

test("a process that is killed anywhere in a turn loses none of the responses it got, and nothing runs twice", async () => {
  const step = (n: number): object => ({
    items: [{ call: "exec_command", arguments: { cmd: `echo ${n} >> ran`, login: false } }],
  });
  for (let n = 0; n < kills; n++) {
    const turns = Array.from({ length: 40 }, (_, index) => step(index)) as never;
    await using world = await openThreadWorld({ script: { turns } }, { files: { ran: "" } });
    const args = ["--conditions=@unroll/source", join(import.meta.dirname, "fixture/run-thread.ts")];
    const child = spawn(process.execPath, [...args, world.home, world.work, world.model.url], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const killAt = 1 + 2 * n;
    let seen = 0;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      seen += text.split("\n").length - 1;
      if (seen >= killAt) child.kill("SIGKILL");
    });
    await once(child, "close");
    const before = world.model.requests.length;
    await using thread = await world.openThread({ store: openStore(world), resume: "last" });
    const stop = new AbortController();
    for await (const event of thread.run("Go on", { signal: stop.signal })) {
      if (event.type === "request.completed") stop.abort();
    }
    expect(world.model.violations).toEqual([]);
    expect(world.model.requests.length).toBeGreaterThan(before);
    const ran = (await readFile(join(world.work, "ran"), "utf8")).split("\n");
    expect(ran).toEqual([...new Set(ran)]);
  }
});
