import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type JournalEntry, noTokenUsage, type SentItem, type ThreadStore, toRequestHead } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import { expect, test } from "vitest";
import {
  encode,
  listAll,
  listEntries,
  openStoreWorld,
  type StoreWorld,
  toSent,
  writeBrokenThread,
  splitShown,
  writeThread,
} from "./store-world.ts";

const now = Date.parse("2026-08-01T00:00:00Z");
const dayMs = 24 * 60 * 60 * 1000;

function openUpkeep({ codexHome }: Pick<StoreWorld, "codexHome">): ThreadStore["upkeep"] {
  return openThreadStore({ codexHome, clock: { now: () => now }, pid: process.pid }).upkeep;
}

test("an archived thread is not listed until it is unarchived, and can be read meanwhile", async () => {
  await using world = await openStoreWorld();
  const upkeep = openUpkeep(world);
  const { id, path } = await writeThread(world, listEntries);
  const archived = await upkeep.archive(id);
  expect(archived).toEqual({
    threadId: id,
    place: join(world.codexHome, "archived_sessions", path.split("/").at(-1) ?? ""),
  });
  expect(await listAll(world.store.list())).toEqual([]);
  expect(await world.store.find("last")).toBeNull();
  expect((await listAll(world.store.list({ archived: true }))).map(({ threadId }) => threadId)).toEqual([id]);
  expect((await world.store.load(id)).entries).toEqual(listEntries(id));
  await expect(world.store.resume(id)).rejects.toMatchObject({ code: "thread_archived" });
  await expect(upkeep.archive(id)).rejects.toMatchObject({ code: "thread_archived" });
  expect(await upkeep.unarchive(id)).toEqual({ threadId: id, place: path });
  await expect(upkeep.unarchive(id)).rejects.toMatchObject({ code: "thread_missing" });
  expect(await world.store.find("last")).toBe(id);
});

test("an open thread cannot be moved, removed or repaired, and a removed one leaves nothing behind", async () => {
  await using world = await openStoreWorld();
  const upkeep = openUpkeep(world);
  const { id } = await writeThread(world, listEntries);
  const { journal } = await world.store.resume(id);
  for (const use of ["archive", "remove", "repair"] as const) {
    await expect(upkeep[use](id)).rejects.toMatchObject({ code: "thread_locked" });
  }
  expect(await listAll(upkeep.collect({ usedBefore: Date.now() + dayMs, archived: false }))).toEqual([]);
  await journal[Symbol.asyncDispose]();
  await upkeep.remove(id.slice(0, -1));
  expect(world.files()).toEqual([join(world.codexHome, "sessions/.unroll-index")].filter((file) => existsSync(file)));
});

test("what was not used for long is collected, the oldest first, and archived threads only where that is asked for", async () => {
  await using world = await openStoreWorld();
  const upkeep = openUpkeep(world);
  const days = [100, 3, 200, 300];
  const ids: string[] = [];
  for (const age of days) {
    const { id, path } = await writeThread(world, listEntries);
    utimesSync(path, new Date(now), new Date(now - age * dayMs));
    ids.push(id);
  }
  await upkeep.archive(ids[3] ?? "");
  const query = { usedBefore: now - 90 * dayMs, archived: false };
  const found = await listAll(upkeep.collect(query));
  expect(found.map(({ threadId }) => threadId)).toEqual([ids[2], ids[0]]);
  expect(found[0]).toMatchObject({ size: expect.any(Number), isArchived: false, summary: { title: "Café / tea" } });
  const all = await listAll(upkeep.collect({ ...query, archived: true }));
  expect(all.map(({ threadId }) => threadId)).toEqual([ids[3], ids[2], ids[0]]);
  expect(await upkeep.removeUnused(ids[2] ?? "", now - 250 * dayMs)).toBe(false);
  expect(await upkeep.removeUnused(ids[2] ?? "", now - 200 * dayMs)).toBe(true);
});

test("a broken file is repaired: whole lines stay, the old file is beside it, and the result lists the repairs", async () => {
  await using world = await openStoreWorld();
  const upkeep = openUpkeep(world);
  const { id, path } = await writeBrokenThread(world);
  appendFileSync(path, '{"torn');
  const broken = readFileSync(path, "utf8");
  const usedAt = new Date(now - dayMs);
  utimesSync(path, usedAt, usedAt);
  const before = (await world.store.load(id)).entries;
  const { aside, repairs } = await upkeep.repair(id);
  expect(repairs).toEqual([
    "A line could not be read: it was left out (line 12).",
    "The last line was cut off: it was left out (line 13).",
    "A call had no output: one was added that says so (call b).",
    "An output without its call was left out (call none).",
    "A call's name was not valid and is run_ now (call a).",
  ]);
  expect(aside).toBe(`${path}.before-repair-2026-08-01T00-00-00.000Z`);
  expect(readFileSync(aside ?? "", "utf8")).toBe(broken);
  expect(await world.store.load(id)).toEqual({
    threadId: id,
    path,
    entries: before,
    usedAt: expect.any(Number),
    facts: expect.anything(),
    repairs: [],
  });
  expect(readFileSync(path, "utf8")).toContain('{"timestamp":"x","type":"of_tomorrow","payload":{}}\n');
  expect((await listAll(world.store.list()))[0]).toMatchObject({ threadId: id, usedAt: usedAt.getTime() });
  expect(await upkeep.repair(id)).toEqual({ threadId: id, place: path, aside: null, repairs: [] });
  await upkeep.archive(id);
  expect(existsSync(aside ?? "")).toBe(false);
  await upkeep.unarchive(id);
  expect(existsSync(aside ?? "")).toBe(true);
  await upkeep.remove(id);
  expect(world.files().filter((file) => file.startsWith(path))).toEqual([]);
});

test("arguments of a call that are not JSON are repaired on request, and not when a thread is loaded", async () => {
  await using world = await openStoreWorld();
  const call = { type: "function_call", call_id: "a", name: "run", arguments: '{"command": "ls' };
  const output = { type: "function_call_output", call_id: "a", output: "The call was not run." };
  const toEntry = (item: object): JournalEntry => ({ type: "item", item: toSent(JSON.stringify(item)) });
  const { id } = await writeThread(world, (own) => [...listEntries(own).slice(0, 4), toEntry(call), toEntry(output)]);
  const begin = listEntries(id).slice(0, 4);
  const sent = [...begin, toEntry(call), toEntry(output)];
  const before = await world.store.load(id);
  expect(before.repairs).toEqual([]);
  const shown = {
    id: "one_item_0",
    type: "tool_call",
    tool: "run",
    call_id: "a",
    output: output.output,
    status: "declined",
  };
  const reason = "The call was not run";
  expect(splitShown(before.entries)).toEqual({ sent, shown: [{ ...shown, arguments: call.arguments, reason }] });
  const { repairs } = await openUpkeep(world).repair(id);
  expect(repairs).toEqual(["A call's arguments were not valid JSON: they are in an object now (call a)."]);
  const mended = { ...call, arguments: JSON.stringify({ cut_off_arguments: call.arguments }) };
  expect(splitShown((await world.store.load(id)).entries)).toEqual({
    sent: [...begin, toEntry(mended), toEntry(output)],
    shown: [{ ...shown, arguments: { cut_off_arguments: call.arguments }, reason }],
  });
  expect(await openUpkeep(world).repair(id)).toMatchObject({ aside: null, repairs: [] });
});

test("drafts of a repair that crashed are removed with the thread", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries);
  mkdirSync(`${path}.aB3xYz`);
  writeFileSync(join(`${path}.aB3xYz`, "draft"), "what was said");
  await openUpkeep(world).remove(id);
  expect(readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))).toEqual([]);
});

test("a file of which nothing can be read is let be, and said to be lost", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries);
  for (const text of ["", "no thread\nnot at all"]) {
    writeFileSync(path, text);
    await expect(openUpkeep(world).repair(id)).rejects.toMatchObject({
      code: "thread_unreadable",
      message: expect.stringContaining(`unroll threads delete ${id}`),
    });
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(world.files().filter((file) => file.startsWith(path))).toEqual([path]);
  }
});

test("a file whose first line is lost can be loaded after a repair", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries);
  const [, ...lines] = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, lines.join("\n"));
  await expect(world.store.load(id)).rejects.toMatchObject({ code: "thread_unreadable" });
  const { repairs } = await openUpkeep(world).repair(id);
  expect(repairs).toEqual([expect.stringContaining("no session_meta")]);
  const [opened, ...others] = (await world.store.load(id)).entries;
  expect(opened).toEqual({ type: "thread.opened", threadId: id, model: "", provider: "", head: null });
  expect(others).toEqual(listEntries(id).slice(1));
});

test("a check of the place finds that threads can be written and locked there, and leaves nothing behind", async () => {
  await using world = await openStoreWorld();
  const codexHome = join(world.codexHome, "not", "there");
  const upkeep = openUpkeep({ codexHome });
  expect(await upkeep.check()).toEqual({ place: join(codexHome, "sessions"), warning: null });
  expect(existsSync(join(world.codexHome, "not"))).toBe(false);
  const { id } = await writeThread(world, listEntries);
  const before = world.files();
  await openUpkeep(world).check();
  expect(world.files()).toEqual(before);
  expect((await world.store.load(id)).threadId).toBe(id);
  writeFileSync(join(world.codexHome, "file"), "");
  const blocked = openUpkeep({ codexHome: join(world.codexHome, "file") });
  await expect(blocked.check()).rejects.toMatchObject({ code: "ENOTDIR" });
});

test("a thread whose request head was damaged is refused with the line, and continues with a new head once it is repaired", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries);
  const damaged = readFileSync(path, "utf8").replace(/\\"input\\":\[/, "");
  writeFileSync(path, damaged);
  const refusal = {
    code: "thread_unreadable",
    message: `${path}, line 1: the request head is damaged, so the thread cannot continue as it was sent. Repair it (unroll threads repair ${id}): its next request then starts with a new head, and the provider's cache is lost once.`,
  };
  await expect(world.store.load(id)).rejects.toMatchObject(refusal);
  await expect(world.store.resume(id)).rejects.toMatchObject(refusal);
  const upkeep = openUpkeep(world);
  expect(await upkeep.repair(id)).toMatchObject({
    repairs: ["The request head was damaged: it was removed, and the next request starts with a new one (line 1)."],
  });
  const [opened, ...rest] = listEntries(id);
  const { entries } = await world.store.load(id);
  expect(entries).toEqual([{ ...opened, head: null }, ...rest]);
});

test("a type with one wrong character is repaired, and each call keeps its output; types that nobody knows stay", async () => {
  await using world = await openStoreWorld();
  const texts = [
    '{"type":"message","role":"user","content":[{"type":"input_text","text":"Go on."}]}',
    '{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}',
    '{"type":"custom_tool_call","call_id":"b","name":"g","input":"x"}',
    '{"type":"function_call_output","call_id":"a","output":"One."}',
    '{"type":"custom_tool_call_output","call_id":"b","output":"Two."}',
  ];
  const odd = '{"type":"function_call_of_tomorrow","call_id":"c"}';
  const ofTomorrow: SentItem = {
    item: { type: "unknown", itemType: "function_call_of_tomorrow", json: odd },
    bytes: encode(odd),
  };
  const damaged = [...texts.map((text) => toSent(text.replace(/e":"(.)./, 'e":"$1!'))), ofTomorrow];
  const { id } = await writeThread(world, (threadId) => [
    { type: "thread.opened", threadId, model: "m", provider: "test", head: toRequestHead({}) },
    { type: "turn.started", turnId: "one" },
    ...damaged.map((item) => ({ type: "item" as const, item })),
  ]);
  const { entries, repairs } = await world.store.load(id);
  const items = entries.flatMap((entry) => (entry.type === "item" ? [entry.item] : []));
  expect(items).toEqual([...texts.map(toSent), ofTomorrow]);
  expect(repairs).toEqual([
    "The type of an item was damaged (m!ssage): it is message now.",
    "The type of an item was damaged (f!nction_call): it is function_call now.",
    "The type of an item was damaged (c!stom_tool_call): it is custom_tool_call now.",
    "The type of an item was damaged (f!nction_call_output): it is function_call_output now.",
    "The type of an item was damaged (c!stom_tool_call_output): it is custom_tool_call_output now.",
  ]);
  expect((await openUpkeep(world).repair(id)).repairs).toEqual(repairs);
  expect((await world.store.load(id)).repairs).toEqual([]);
});

test("a role with one wrong character is repaired, and a message without a role that servers know is left out by name", async () => {
  await using world = await openStoreWorld();
  const texts = ["user", "assistant", "developer", "system"].map((role) => {
    const type = role === "assistant" ? "output_text" : "input_text";
    return `{"type":"message","role":"${role}","content":[{"type":"${type}","text":"Go on."}]}`;
  });
  const odd = '{"type":"message","role":"user","content":[{"type":"input_of_tomorrow"}]}';
  const [first = ""] = texts;
  const lost = [first.replace('"role":"user",', ""), first.replace('"user"', "7"), first.replace("user", "nobody")];
  const toUnknown = (json: string): SentItem => ({
    item: { type: "unknown", itemType: "message", json },
    bytes: encode(json),
  });
  const damaged = [...texts.map((text) => text.replace(/role":"(.)./, 'role":"$1!')), ...lost, odd].map(toUnknown);
  const { id } = await writeThread(world, (threadId) => [
    { type: "thread.opened", threadId, model: "m", provider: "test", head: toRequestHead({}) },
    { type: "turn.started", turnId: "one" },
    ...damaged.map((item) => ({ type: "item" as const, item })),
  ]);
  const { entries, repairs } = await world.store.load(id);
  const items = entries.flatMap((entry) => (entry.type === "item" ? [entry.item] : []));
  expect(items).toEqual([...texts.map(toSent), toUnknown(odd)]);
  expect(repairs).toEqual([
    "The role of an item was damaged (u!er): it is user now.",
    "The role of an item was damaged (a!sistant): it is assistant now.",
    "The role of an item was damaged (d!veloper): it is developer now.",
    "The role of an item was damaged (s!stem): it is system now.",
    ...lost.map(() => "An item (message) was damaged and left out."),
  ]);
  expect((await openUpkeep(world).repair(id)).repairs).toEqual(repairs);
  expect((await world.store.load(id)).repairs).toEqual([]);
});

test.each([
  ["note", "value", "line"],
  ...["usage", ...Object.keys(noTokenUsage)].map((name) => ["request", name, "line"]),
  ["request", "cache", "line"],
  ["request", "prefix_bytes", "line"],
  ["request", "shared_bytes", "line"],
  ["request", "shared_tokens", "line"],
  ["request", "cached_tokens", "line"],
  ["request", "idle_ms", "line"],
  ["request", "miss", "line"],
  ["item.ended", "item", "saved item"],
])("a damaged %s without its %s is skipped by name, and a repair leaves the %s out", async (kind, name, what) => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries);
  const before = await world.store.load(id);
  const lines = readFileSync(path, "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes(`"payload":{"type":"${kind}"`));
  lines[at] = lines[at]?.replace(`"${name}":`, `"${name.slice(1)}_":`) ?? "";
  writeFileSync(path, lines.join("\n"));
  const { entries, repairs, facts } = await world.store.load(id);
  expect(facts).toEqual(before.facts); // the usage of a request is also in the token_count behind it
  expect(repairs).toEqual([`Skipped a ${what} that cannot be read (line ${at + 1}).`]);
  const repaired = await openUpkeep(world).repair(id);
  expect(repaired.repairs).toEqual([`A ${what} could not be read: it was left out (line ${at + 1}).`]);
  expect(await world.store.load(id)).toMatchObject({ entries, repairs: [] });
});
