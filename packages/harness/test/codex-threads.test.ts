import { copyFile, glob, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openThreadStore } from "@unroll/rollout";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const said = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });

test.each([
  ["0.92.0", "01a20021-fa32-7142-a8f1-816c20560b0d"],
  ["0.169.0", "01a20022-2187-7ac0-b6b4-dc79acab60e7"],
])(
  "a thread of the Codex CLI %s is resumed and forked by valid requests that repeat each other",
  async (version, id) => {
    await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two."), said("Three.")] } });
    const codexHome = join(world.home, ".codex");
    const folder = join(codexHome, "sessions/2026/11/21");
    await mkdir(folder, { recursive: true });
    const file = join(import.meta.dirname, `../../../conformance/threads/codex-${version}.jsonl`);
    await copyFile(file, join(folder, `rollout-2026-11-21T22-02-36-${id}.jsonl`));
    const store = openThreadStore({ codexHome, clock: { now: Date.now }, pid: process.pid });
    await using harness = await world.openHarness({ store });
    for (const input of ["a", "b"]) {
      await using thread = await harness.resumeThread(id);
      expect((await runToEnd(thread, input)).outcome.type).toBe("completed");
    }
    await using fork = await harness.forkThread(id);
    expect((await runToEnd(fork, "c")).outcome.type).toBe("completed");
    expect(world.model.violations).toEqual([]);
    const [first, second, forked] = world.model.requests.map(({ input }) => input);
    expect(second?.slice(0, first?.length)).toEqual(first);
    expect(forked?.slice(0, second?.length)).toEqual(second);
    expect(JSON.stringify(first)).toContain("Go on");
  },
);

test("a fork counts only what it used itself, and its file holds each item once", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  const codexHome = join(world.home, ".codex");
  const store = openThreadStore({ codexHome, clock: { now: Date.now }, pid: process.pid });
  await using harness = await world.openHarness({ store });
  await using thread = await harness.openThread();
  const first = await runToEnd(thread, "a word that stands nowhere else");
  await using fork = await harness.forkThread(thread.id);
  const second = await runToEnd(fork, "b");
  await fork[Symbol.asyncDispose]();
  const totals = new Map<string, unknown>();
  for await (const { threadId, usage } of store.list()) totals.set(threadId, usage);
  expect([first, second].map(({ outcome }) => outcome.usage)).toEqual([totals.get(thread.id), totals.get(fork.id)]);
  const text = await readFile(await findFile(codexHome, fork.id), "utf8");
  const items = text.split("\n").filter((line) => line.includes('"type":"response_item"'));
  expect(items.filter((line) => line.includes("a word that stands nowhere else"))).toHaveLength(1);
});

async function findFile(codexHome: string, id: string): Promise<string> {
  for await (const path of glob(join(codexHome, `sessions/*/*/*/*${id}.jsonl`))) return path;
  throw new Error("none");
}
