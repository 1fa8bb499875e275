import { appendFileSync, copyFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { listLiveItems, type ResponseItem, toRequestHead } from "@unroll/protocol";
import { expect, test } from "vitest";
import { listAll, openStoreWorld, type StoreWorld } from "./store-world.ts";

const threads = [
  {
    version: "0.92.0",
    threadId: "01a20021-fa32-7142-a8f1-816c20560b0d",
    tokens: [40_214, 328],
    longestInput: 8896,
    // the input is rebuilt: the Codex CLI saved only the summary
    items: [
      "developer: <permissions instructi",
      "user: # AGENTS.md instructio",
      "user: <environment_context>",
      "user: Look around",
      "user: Go on",
      "user: Another language model",
      "user: And on",
      "assistant: Four.",
    ],
    repairs: [expect.stringContaining("saved only a summary") as string],
  },
  {
    version: "0.169.0",
    threadId: "01a20022-2187-7ac0-b6b4-dc79acab60e7",
    tokens: [44_753, 327],
    longestInput: 9913,
    items: [
      "user: Look around",
      "developer: <skills_instructions>",
      "user: <environment_context>",
      "user: Go on",
      "user: Another language model",
      "user: And on",
      "assistant: Four.",
    ],
    repairs: [],
  },
] as const;

function copyThread({ codexHome }: StoreWorld, { version, threadId }: (typeof threads)[number]): string {
  const folder = join(codexHome, "sessions/2026/11/21");
  const path = join(folder, `rollout-2026-11-21T22-02-36-${threadId}.jsonl`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(import.meta.dirname, `../../../conformance/threads/codex-${version}.jsonl`), path);
  return path;
}

/** The items of the next request. */
function listItems(entries: Parameters<typeof listLiveItems>[0]): readonly ResponseItem[] {
  return listLiveItems(entries).map(({ item }) => item);
}

function describe(item: ResponseItem): string {
  if (item.type !== "message") return item.type;
  const text = item.content.map((part) => ("text" in part ? part.text : "")).join("");
  return `${item.role}: ${text.trimEnd().slice(0, 22).trimEnd()}`;
}

test.each(threads)("a thread of the Codex CLI $version is listed as one of ours is", async (thread) => {
  await using world = await openStoreWorld();
  const path = copyThread(world, thread);
  const { size } = statSync(path);
  const [input, output] = thread.tokens;
  expect(await listAll(world.store.list())).toEqual([
    {
      threadId: thread.threadId,
      createdAt: expect.any(Number),
      usedAt: expect.any(Number),
      cwd: "/home/someone/project",
      branch: "trunk",
      name: null,
      title: "Look around",
      model: "gpt-5",
      turns: 3,
      provider: "bench",
      usage: expect.objectContaining({ input_tokens: input, output_tokens: output }),
      longestInput: thread.longestInput,
      forkedFrom: null,
      parent: null,
      source: "exec",
      path,
      size,
    },
  ]);
  expect(await world.store.find("last", { cwd: "/home/someone/project" })).toBe(thread.threadId);
});

test.each(threads)(
  "a thread of the Codex CLI $version continues here, and its lines stay as they are",
  async (thread) => {
    await using world = await openStoreWorld();
    const path = copyThread(world, thread);
    const before = readFileSync(path, "utf8");
    const { journal, entries, repairs } = await world.store.resume(thread.threadId.slice(0, 18));
    expect(repairs).toEqual(thread.repairs);
    const items = listItems(entries);
    expect(items.map(describe)).toEqual(thread.items);
    // what only that program sends is not sent
    expect(JSON.stringify(items)).not.toMatch(/internal_chat|"id":/);
    const opened = {
      type: "thread.opened",
      threadId: thread.threadId,
      model: "m",
      provider: "p",
      head: toRequestHead({}),
    } as const;
    journal.record(opened);
    journal.record({ type: "turn.started", turnId: "one" });
    await journal[Symbol.asyncDispose]();
    expect(readFileSync(path, "utf8").startsWith(before)).toBe(true);
    const again = await world.store.load(thread.threadId);
    expect(again.entries[0]).toEqual(opened);
    expect(listItems(again.entries)).toEqual(items);
    expect((await listAll(world.store.list()))[0]).toMatchObject({ turns: 4 });
  },
);

test("with only summaries saved, each epoch is rebuilt from the user messages, the newest first, without the summary before it", async () => {
  await using world = await openStoreWorld();
  const [thread] = threads;
  const path = copyThread(world, thread);
  const append = (type: string, payload: object): void =>
    appendFileSync(path, `${JSON.stringify({ timestamp: "2026-11-21T22:02:43.993Z", type, payload })}\n`);
  const say = (text: string): void =>
    append("response_item", { type: "message", role: "user", content: [{ type: "input_text", text }] });
  say("a".repeat(50_000));
  say("b".repeat(50_000));
  append("compacted", { message: "Again." });
  const { entries, repairs } = await world.store.load(thread.threadId);
  expect(repairs).toHaveLength(2);
  const items = listItems(entries);
  expect(items.map(describe)).toEqual([
    ...thread.items.slice(0, 3),
    `user: ${"a".repeat(22)}`,
    `user: ${"b".repeat(22)}`,
    "user: Again.",
  ]);
  expect(JSON.stringify(items[3])).toContain(`"${"a".repeat(30_000)}"`);
  append("unroll", { type: "epoch.undone" });
  const before = listItems((await world.store.load(thread.threadId)).entries).map(describe);
  expect(before.slice(0, -2)).toEqual(thread.items);
});
