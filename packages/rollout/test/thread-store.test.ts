import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JournalEntry, type SentItem, toRequestHead } from "@unroll/protocol";
import { expect, test } from "vitest";
import {
  encode,
  listAll,
  listEntries,
  openStoreWorld,
  splitShown,
  toMeta,
  toRequest,
  toSent,
  writeBrokenThread,
  writeThread,
} from "./store-world.ts";

test("a thread comes back as it was recorded, its items byte for byte, over several lines too", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries);
  const { mtimeMs: usedAt } = statSync(path);
  expect(await world.store.load(id)).toEqual({
    threadId: id,
    path,
    entries: listEntries(id),
    usedAt,
    facts: expect.anything(),
    repairs: [],
  });
});

test("a resumed thread has only the latest note of the messages that wait for a request", async () => {
  await using world = await openStoreWorld();
  const toSaid = (text: string): SentItem =>
    toSent(`{"type":"message","role":"user","content":[{"type":"input_text","text":"${text}"}]}`);
  const note = (...texts: readonly string[]): JournalEntry => {
    return { type: "note", key: "waiting", value: texts.map((text) => toSaid(text).item) };
  };
  const { id } = await writeThread(world, (threadId) => [
    ...listEntries(threadId),
    note("a picture"),
    { type: "item", item: toSaid("a picture") },
    note(),
    note("another"),
    note("another", "one more"),
  ]);
  const { entries, journal } = await world.store.resume(id);
  await journal[Symbol.asyncDispose]();
  const notes = entries.filter((entry) => entry.type === "note" && entry.key === "waiting");
  expect(notes).toEqual([note(), note(), note(), note("another", "one more")]);
});

test("a folder that has the name of a thread is none", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries);
  rmSync(path);
  mkdirSync(path);
  await expect(world.store.load(id)).rejects.toMatchObject({ code: "thread_missing" });
});

test("the file is the user's alone, under the day, each line JSON, with what other programs read", async () => {
  await using world = await openStoreWorld({ clock: { now: () => Date.parse("2026-05-06T12:00:00Z") } });
  const settings = {
    cwd: "/work here",
    model: "gpt-5",
    approvalPolicy: "never",
    sandboxMode: "read-only",
    reasoningEffort: null,
    reasoningSummary: "auto",
  } as const;
  const { id, path } = await writeThread(world, (threadId) => [
    { type: "settings", settings },
    ...listEntries(threadId),
  ]);
  expect(path).toMatch(/\/sessions\/2026\/05\/06\/rollout-2026-05-06T\d\d-\d\d-00-[\w-]+\.jsonl$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const lines = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly type: string; readonly payload: Record<string, unknown> });
  expect(
    lines.map(({ type, payload }) => `${type} ${typeof payload["type"] === "string" ? payload["type"] : ""}`.trim()),
  ).toEqual([
    "session_meta",
    "unroll note",
    "unroll turn.started",
    "event_msg task_started",
    "turn_context",
    "response_item message",
    "event_msg user_message",
    "response_item function_call",
    "response_item function_call_output",
    "unroll item.ended",
    "response_item of_tomorrow",
    "unroll request",
    "event_msg token_count",
    "response_item message",
    "event_msg agent_message",
    "unroll item.ended",
    "event_msg task_complete",
    "unroll turn.ended",
    "compacted",
    "unroll turn.started",
    "event_msg task_started",
    "turn_context",
    "response_item message",
    "event_msg user_message",
    "event_msg token_count",
    "event_msg turn_aborted",
    "unroll turn.ended",
  ]);
  expect(lines[0]?.payload).toEqual({
    id,
    timestamp: "2026-05-06T12:00:00.000Z",
    cwd: "/work here",
    originator: "test",
    cli_version: "1.0.0",
    source: "cli",
    model_provider: "test",
    model: "gpt-5",
    base_instructions: { text: "Be éxact." },
    head: expect.any(String),
  });
  // the final message of the first turn is in its item, and for other programs in its event
  expect(readFileSync(path, "utf8").split("Done.")).toHaveLength(1 + 2 + 1 + 1); // and in the epoch, and in so short an item
  expect(lines.at(-3)?.payload).toEqual({
    type: "token_count",
    info: {
      last_token_usage: expect.objectContaining({ input_tokens: 7, total_tokens: 10 }),
      total_token_usage: expect.objectContaining({ input_tokens: 14, total_tokens: 20 }),
    },
  });
});

test("other programs see a refusal of the model as its message", async () => {
  await using world = await openStoreWorld();
  const refusal = { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "I will not." }] };
  const { path } = await writeThread(world, (id) => [
    ...listEntries(id).slice(0, 3),
    { type: "item", item: toSent(JSON.stringify(refusal)) },
  ]);
  const [line = "{}"] = readFileSync(path, "utf8").trimEnd().split("\n").slice(-1);
  expect(JSON.parse(line)).toMatchObject({ payload: { type: "agent_message", message: "I will not." } });
});

test("the usage of each request is written once, with the total, and another thread's usage is not", async () => {
  await using world = await openStoreWorld();
  const silent = { ...toRequest("silent"), usage: null };
  const { id, path } = await writeThread(world, (threadId) => [
    { type: "thread.opened", threadId, model: "gpt-5", provider: "test", head: toRequestHead({}) },
    { type: "turn.started", turnId: "one" },
    { type: "request", request: toRequest("inherited", { isInherited: true }) },
    { type: "request", request: silent },
    { type: "request", request: toRequest("one") },
    { type: "request", request: toRequest("two") },
  ]);
  const { journal } = await world.store.resume(id);
  journal.record({ type: "turn.started", turnId: "two" });
  journal.record({ type: "request", request: toRequest("three") });
  await journal[Symbol.asyncDispose]();
  const counts = readFileSync(path, "utf8").matchAll(/"token_count".*?"input_tokens":(\d+).*?"input_tokens":(\d+)/g);
  expect([...counts].map(([, last, total]) => `${last} of ${total}`)).toEqual(["7 of 7", "7 of 14", "7 of 21"]);
});

test("a thread without messages leaves no file", async () => {
  await using world = await openStoreWorld();
  const meta = toMeta();
  const journal = await world.store.create(meta);
  journal.record({
    type: "thread.opened",
    threadId: meta.threadId,
    model: "gpt-5",
    provider: "test",
    head: toRequestHead({}),
  });
  await journal[Symbol.asyncDispose]();
  expect(world.files()).toEqual([]);
});

test("entries that would make every later request invalid are repaired once, reported, and saved", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeBrokenThread(world);
  const { journal, entries, repairs } = await world.store.resume(id);
  await journal[Symbol.asyncDispose]();
  expect(repairs).toEqual([
    "Skipped a line that cannot be read (line 12).",
    "An output without its call was left out (call none).",
    "A call's name was not valid and is run_ now (call a).",
    "A call had no output and was given one that says so (call b).",
  ]);
  expect(entries.flatMap((entry) => (entry.type === "item" ? [entry.item.item] : []))).toEqual([
    { type: "function_call", call_id: "a", name: "run_", arguments: "{}" },
    { type: "custom_tool_call", call_id: "b", name: "patch", input: "x" },
    { type: "function_call_output", call_id: "a", output: "ok" },
    { type: "custom_tool_call_output", call_id: "b", output: expect.stringContaining("It may have run in part") },
  ]);
  const { sent, shown } = splitShown((await world.store.load(id)).entries);
  expect(sent).toEqual(entries);
  const call = { id: "one_item_0", type: "tool_call", tool: "run_", arguments: {}, output: "ok" };
  expect(shown).toEqual([
    { ...call, call_id: "a", status: "unknown" },
    {
      ...call,
      id: "one_item_1",
      call_id: "b",
      tool: "patch",
      arguments: "x",
      output: expect.stringContaining("It may have run in part"),
      status: "failed",
      reason: expect.stringContaining("The program ended before this call had a result."),
    },
  ]);
  expect(readFileSync(path, "utf8")).toContain("of_tomorrow");
});

test("items of an epoch whose lengths were damaged are encoded again from their JSON", async () => {
  await using world = await openStoreWorld();
  const journal = await world.store.create(toMeta());
  journal.record({ type: "thread.opened", threadId: "", model: "m", provider: "test", head: toRequestHead({}) });
  const items = ["one", "two"].map((text) =>
    toSent(`{"type":"message","role":"user","content":[{"type":"input_text","text":"${text}"}]}`),
  );
  journal.record({ type: "epoch", cause: "short", isFinal: false, items });
  journal.record({ type: "turn.started", turnId: "1" });
  await journal[Symbol.asyncDispose]();
  const [name = ""] = world.files();
  writeFileSync(name, readFileSync(name, "utf8").replace(/"lengths":\[\d+/, '"lengths":[7'));
  const [{ threadId } = { threadId: "" }] = await listAll(world.store.list());
  const { entries } = await world.store.load(threadId);
  expect(entries.find(({ type }) => type === "epoch")).toEqual({
    type: "epoch",
    cause: "short",
    isFinal: false,
    items,
  });
});

test("resuming skips the items of epochs that are no longer sent, except those that the next request is compared with", async () => {
  await using world = await openStoreWorld();
  const item = (text: string): SentItem =>
    toSent(JSON.stringify({ type: "message", role: "user", content: [{ type: "input_text", text }] }));
  const { id, path } = await writeThread(world, (threadId) => [
    { type: "thread.opened", threadId, model: "gpt-5", provider: "test", head: toRequestHead({}) },
    { type: "turn.started", turnId: "one" },
    { type: "item", item: item("oldest") },
    { type: "note", key: "mcpTold", value: ["a"] },
    { type: "request", request: toRequest("one") },
    { type: "epoch", cause: "first", isFinal: false, items: [item("one")] },
    { type: "item", item: item("two") },
    { type: "request", request: toRequest("two") },
    { type: "request", request: toRequest("beside", { isBeside: true }) },
    { type: "epoch", cause: "second", isFinal: false, items: [item("three")] },
    { type: "item", item: item("four") },
  ]);
  const expectWithout = async (left: readonly number[]): Promise<void> => {
    const { journal, entries } = await world.store.resume(id);
    await journal[Symbol.asyncDispose]();
    const all = (await world.store.load(id)).entries;
    expect(entries.map(describe)).toEqual(all.filter((_, index) => !left.includes(index)).map(describe));
  };
  const describe = (entry: JournalEntry): unknown => (entry.type === "request" ? "request" : entry);
  const append = (payload: object): void =>
    appendFileSync(path, `${JSON.stringify({ timestamp: "2026-01-01T00:00:00.000Z", type: "unroll", payload })}\n`);
  await expectWithout([2]);
  append({ type: "request", response_id: "three", is_beside: true });
  await expectWithout([2]);
  append({ type: "request", response_id: "four", is_beside: false });
  await expectWithout([2, 4, 5, 6]); // the usage of the first two requests is one entry
  append({ type: "epoch.undone" });
  await expectWithout([2]);
  append({ type: "epoch.undone" });
  await expectWithout([]);
});

test("the first line has the git facts of the folder, without a remote's credentials", async () => {
  await using world = await openStoreWorld();
  const git = join(world.codexHome, "project/.git");
  for (const part of ["objects", "refs/heads/a"]) mkdirSync(join(git, part), { recursive: true });
  mkdirSync(join(world.codexHome, "project/deep"));
  const commit = "162c67f3fb653f6c0fa666a0765a002fdfe859e8";
  writeFileSync(join(git, "HEAD"), "ref: refs/heads/a/b\n");
  writeFileSync(
    join(git, "config"),
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://me:key@example.org/p.git\n',
  );
  const read = async (): Promise<unknown> => {
    const { path } = await writeThread(world, listEntries, { cwd: join(world.codexHome, "project/deep") });
    return (JSON.parse(readFileSync(path, "utf8").split("\n")[0] ?? "") as { payload: { git?: unknown } }).payload.git;
  };
  const repository_url = "https://example.org/p.git";
  expect(await read()).toEqual({ branch: "a/b", repository_url });
  writeFileSync(join(git, "packed-refs"), `# pack-refs\n${commit} refs/heads/a/b\n`);
  expect(await read()).toEqual({ branch: "a/b", commit_hash: commit, repository_url });
  writeFileSync(join(git, "refs/heads/a/b"), `${commit.toUpperCase()}\n`);
  expect(await read()).toEqual({ branch: "a/b", repository_url });
  writeFileSync(join(git, "HEAD"), `${commit}\n`);
  expect(await read()).toEqual({ commit_hash: commit, repository_url });
  rmSync(git, { recursive: true });
  writeFileSync(git, "gitdir: ../linked\n");
  mkdirSync(join(world.codexHome, "linked"));
  writeFileSync(join(world.codexHome, "linked/HEAD"), "ref: refs/heads/c\n");
  expect(await read()).toEqual({ branch: "c" });
  rmSync(join(world.codexHome, "linked"), { recursive: true });
  expect(await read()).toBeUndefined();
});

test("a file of the Codex CLI loads without a head; the one that is made for it is kept", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries);
  const line = (type: string, payload: object): string =>
    `${JSON.stringify({ timestamp: "2026-01-01T00:00:00.000Z", type, payload })}\n`;
  const said = { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] };
  writeFileSync(
    path,
    line("session_meta", { id, cwd: "/x", originator: "codex_cli_rs", cli_version: "0.92.0", git: {} }) +
      line("response_item", said) +
      line("response_item", { type: "ghost_snapshot", ghost_commit: {} }) +
      line("turn_context", { cwd: "/x", model: "gpt-5" }) +
      line("event_msg", { type: "agent_reasoning", text: "…" }) +
      line("compacted", { message: "short", replacement_history: [said] }),
  );
  const { journal, entries } = await world.store.resume(id);
  const item = { item: said, bytes: encode(JSON.stringify(said)) };
  expect(entries).toEqual([
    { type: "thread.opened", threadId: id, model: "", provider: "", head: null },
    { type: "epoch", cause: "short", isFinal: false, items: [item] },
  ]);
  const head = toRequestHead({ instructions: "new" });
  const opened = { type: "thread.opened", threadId: id, model: "gpt-5", provider: "test", head } as const;
  journal.record(opened);
  await journal[Symbol.asyncDispose]();
  expect((await world.store.load(id)).entries[0]).toEqual(opened);
});
