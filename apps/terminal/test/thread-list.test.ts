import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { openProgramStore } from "@unroll/program";
import type { ThreadSummary } from "@unroll/protocol";
import { expect, test } from "vitest";
import { keys, openTerminalWorld, readSent, type TerminalWorld } from "./terminal-world.ts";

// The list of threads of /resume.

const ready = "gpt-5-codex";
const control = { sort: "\u0013", folders: "\u000f", archived: "\u0014", rename: "\u0012", archive: "\u0018" } as const;
const [remove, copy] = ["\u0004", "\u0019"];

type Seat = ReturnType<TerminalWorld["start"]>;

async function say(seat: Seat, line: string, shown: string): Promise<void> {
  seat.type(`${line}${keys.enter}`);
  await seat.shows(shown);
}

/** A key for the dialog that is open, and its result. */
async function press(seat: Seat, key: string, shown: string): Promise<void> {
  await seat.pass(1000);
  seat.type(key);
  await seat.shows(shown);
}

function openStore({ home }: TerminalWorld): ReturnType<typeof openProgramStore> {
  return openProgramStore(
    { codexHome: join(home, ".codex") },
    { now: Date.now, pid: process.pid, elapsed: Date.now, newId: () => "", cwd: "/", env: {} },
  );
}

async function list(world: TerminalWorld, archived = false): Promise<readonly ThreadSummary[]> {
  const threads: ThreadSummary[] = [];
  for await (const thread of (await openStore(world)).list({ archived })) threads.push(thread);
  return threads;
}

/** The rows of the list that is open, without what is around them. */
function rows(seat: Seat): readonly string[] {
  const screen = seat.screen();
  const start = screen.findLastIndex((row) => row.startsWith("  search:"));
  return screen.slice(start + 1, screen.indexOf("", start));
}

/** Types a line, and waits for something that is written after it. */
async function write(seat: Seat, line: string, written: string): Promise<void> {
  const before = seat.bytes().length;
  seat.type(`${line}${keys.enter}`);
  await seat.writes(written, before);
}

/** Leaves a thread for each message, and a new one open. */
async function sayEach(seat: Seat, messages: readonly string[]): Promise<void> {
  await seat.shows(ready);
  for (const message of messages) {
    await write(seat, message, "tokens:");
    await seat.pass(0);
    await write(seat, "/new", "New thread.");
  }
}

const answers = Array.from({ length: 8 }, (_, at) => ({ items: [{ text: `answer ${at + 1}` }] }));

test("the list of threads is sorted, filtered and searched by keys; threads are renamed, archived, restored and deleted there", async () => {
  await using world = await openTerminalWorld({ turns: answers });
  const seat = world.start({}, { columns: 100, rows: 40 });
  await sayEach(seat, ["brew tea", "a cake", "peel apples"]);
  await say(seat, "/resume", "Resume: this folder, last used first");
  expect(rows(seat).map((row) => row.slice(0, 14).trimEnd())).toEqual(["› peel apples", "  a cake", "  brew tea"]);
  expect(rows(seat)[0]).toMatch(/^› peel apples +just now +[\d.]+ kB$/);
  expect(seat.screen().join("\n")).toContain("first message: peel apples");
  for (const order of ["newest first", "largest first", "by name"])
    await press(seat, control.sort, `Resume: this folder, ${order}`);
  expect(rows(seat).map((row) => row.slice(0, 14).trimEnd())).toEqual(["› a cake", "  brew tea", "  peel apples"]);
  await press(seat, "TEA", "search: TEA");
  expect(rows(seat)).toHaveLength(1);
  await press(seat, control.rename, "Rename “brew tea”.");
  await press(seat, `Hot drinks${keys.enter}`, "Renamed: Hot drinks");
  expect(rows(seat)[1]).toContain("› Hot drinks  brew tea");
  await press(seat, control.archive, "Archived.");
  await seat.shows("no match");
  expect((await list(world, true)).map(({ name }) => name)).toEqual(["Hot drinks"]);
  await press(seat, keys.escape, "  peel apples");
  await press(seat, control.archived, "Archived: this folder, by name");
  await press(seat, keys.enter, "It is archived. Restore it first");
  await press(seat, control.archive, "Restored.");
  await press(seat, control.archived, "Resume: this folder, by name");
  await press(seat, "drinks", "search: drinks");
  await press(seat, remove, "Delete “Hot drinks” permanently?");
  expect(seat.screen().join("\n")).toMatch(
    /You lose 1 turn \([\d.]+ kB, last used just now\)\. They cannot be restored\./,
  );
  await press(seat, keys.enter, "search: drinks"); // "no" is selected
  await seat.hides("permanently?");
  expect(await list(world)).toHaveLength(3);
  await press(seat, remove, "Delete “Hot drinks” permanently?");
  await press(seat, "y", "Deleted.");
  expect((await list(world)).map(({ title }) => title)).toEqual(["peel apples", "a cake"]);
  seat.type(keys.escape);
  await seat.hides("search: drinks");
  expect(rows(seat)[0]).toContain("› a cake");
  await press(seat, keys.enter, "Resumed thread");
});

test("a copy is told apart from its origin, and threads of other folders are listed by a key", async () => {
  await using world = await openTerminalWorld({ turns: answers });
  const elsewhere = await (
    await openStore(world)
  ).create({
    threadId: "elsewhere",
    cwd: "/far/away",
    userAgent: "test/1",
    modelProvider: "test",
    forkedFrom: null,
  });
  elsewhere.record({ type: "thread.opened", threadId: "elsewhere", model: "m", provider: "test", head: null });
  elsewhere.record({ type: "turn.started", turnId: "one" });
  await elsewhere[Symbol.asyncDispose]();
  const seat = world.start({ prompt: "brew tea" }, { columns: 120, rows: 40 });
  await seat.shows("answer 1");
  await seat.hides("working");
  await say(seat, "/fork", "You are now in a copy:");
  await say(seat, "with milk", "answer 2");
  await seat.hides("working");
  await say(seat, "/new", "New thread.");
  await say(seat, "/resume", "Resume: this folder");
  expect(rows(seat)[0]).toMatch(/^› with milk {2}copy of “brew tea” after turn 1 +just now/);
  expect(rows(seat)[1]).toMatch(/^ {2}brew tea +just now/);
  await press(seat, control.folders, "Resume: all folders");
  expect(rows(seat).find((row) => row.includes("(no message)"))).toMatch(/\(no message\) +\/far\/away +just now/);
  await press(seat, "milk", "search: milk");
  await press(seat, copy, "You are now in a copy:");
  await say(seat, "and sugar", "answer 3");
  expect(readSent(world.model.requests[2])).toMatch(/brew tea.*with milk.*and sugar/);
});

test("a thread that another process has open is marked, and choosing it offers the others, also at the start", async () => {
  await using world = await openTerminalWorld({ turns: answers });
  const seat = world.start({}, { columns: 100, rows: 40 });
  await sayEach(seat, ["brew tea", "a cake"]);
  const [cake] = await list(world);
  const held = await (await openStore(world)).resume(cake?.threadId ?? "");
  await say(seat, "/resume", "open elsewhere");
  expect(rows(seat).find((row) => row.includes("open elsewhere"))).toContain("a cake");
  await press(seat, "cake", "search: cake");
  await press(seat, keys.enter, `It is open in another process (${process.pid}). Choose another thread`);
  await press(seat, remove, "permanently?");
  await press(seat, "y", "is open in another process");
  await press(seat, `${keys.escape}`, "brew tea");
  await press(seat, keys.escape, "Resume: this folder");
  await seat.hides("Resume: this folder");
  await say(seat, `/resume ${cake?.threadId}`, "Resume: this folder");
  await seat.shows("Choose another thread, or continue in a copy.");
  await press(seat, keys.escape, "What should I work on?");
  await seat.leave();
  const from = { name: cake?.threadId ?? "", all: false, copiedTurns: null };
  const next = world.start({ from }, { columns: 100, rows: 40 });
  await next.shows("open elsewhere");
  await next.shows("Choose another thread, or continue in a copy.");
  expect(rows(next).find((row) => row.startsWith("›"))).toContain("a cake");
  await press(next, "tea", "search: tea");
  await press(next, keys.enter, "Resumed thread");
  await next.leave();
  await held.journal[Symbol.asyncDispose]();
});

test("line by line, the list takes numbers, words, and actions with numbers", async () => {
  await using world = await openTerminalWorld({ turns: answers });
  const seat = world.start({ plain: true }, { columns: 100, rows: 40 });
  await sayEach(seat, ["brew tea", "a cake", "peel apples"]);
  /** The line counts once the next question is there. */
  const type = async (line: string, shown: string, question = "Number, words or action: "): Promise<void> => {
    const before = seat.bytes().length;
    seat.type(`${line}${keys.enter}`);
    await seat.writes(shown, before);
    await seat.writes(question, before);
  };
  await type("/resume", "  1  peel apples  ");
  await seat.shows("sort, folders, archived, rename N, archive N, delete N, copy N");
  await type("sort", "newest first");
  await type("rename 3", "Rename “brew tea”.", "  > ");
  await type("Hot drinks", "Renamed: Hot drinks");
  await type("rename", "Which one? Type rename and its number, such as: rename 1");
  await type("nothing like it", 'No match for "nothing like it".');
  await type("drinks", '1 match for "drinks": press Enter for the whole list');
  await type("archive 1", "Archived.");
  await type("", "  2  a cake  ");
  await type("delete a cake", "Delete “a cake” permanently?", "[y] yes [n] no: ");
  await type("n", "  2  a cake  ");
  await type("2", "Resumed thread", "> ");
  expect((await list(world)).some(({ title }) => title === "a cake")).toBe(true);
});

test("in 40x10 the list names its keys, and what you type is found as you typed it before single words of it", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 40, rows: 10 });
  await sayEach(seat, ["a pot of tea", "tea, then a new pot"]);
  await say(seat, "/resume", "search:");
  await seat.shows(" ^S sort ^O folders ^T archived");
  await seat.shows(" ^R rename ^X archive ^D delete ^Y copy");
  await press(seat, "a pot", "search: a pot");
  expect(rows(seat)[0]).toContain("a pot of tea");
});

test("line by line in 40 columns, each thread of the list takes one row", async () => {
  await using world = await openTerminalWorld();
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: world.work });
  const seat = world.start({ plain: true }, { columns: 40, rows: 20 });
  await sayEach(seat, ["look at the parser and say what is wrong with it", "look at the printer and say the same"]);
  await say(seat, "/resume", "Number, words or action:");
  const listed = [...seat.scrolled(), ...seat.screen()].filter((row) => /^ {2}[12] {2}look|^ +main/.test(row));
  expect(listed.map((row) => row.trimEnd())).toEqual([
    "  1  look at the printer an…  just now",
    "  2  look at the parser and…  just now",
  ]);
});

test("unroll resume without an id lists the threads: Enter continues one, Esc starts a new one", async () => {
  await using world = await openTerminalWorld();
  const before = world.start();
  await sayEach(before, ["first question", "second question"]);
  before.type("/exit\r");
  expect(await before.exitCode).toBe(0);
  const from = { name: null, all: false, copiedTurns: null };
  const seat = world.start({ from }, { columns: 100, rows: 30 });
  await seat.shows("Resume: this folder, last used first");
  expect(rows(seat)).toEqual([expect.stringMatching(/^› second question/), expect.stringMatching(/^  first question/)]);
  await press(seat, "\u001b[B", "› first question");
  await press(seat, keys.enter, "Resumed thread");
  await write(seat, "go on", "tokens:");
  const sent = readSent(world.model.requests[2]);
  expect([sent.includes("first question"), sent.includes("second question")]).toEqual([true, false]);
  const other = world.start({ from }, { columns: 100, rows: 30 });
  await other.shows("Resume: this folder, last used first");
  await press(other, keys.escape, "New thread.");
  await write(other, "something else", "tokens:");
  expect(readSent(world.model.requests[3])).not.toContain("question");
});

test("unroll fork without an id lists the threads under its own name, and continues in a copy", async () => {
  await using world = await openTerminalWorld();
  const before = world.start();
  await sayEach(before, ["first question"]);
  before.type("/exit\r");
  expect(await before.exitCode).toBe(0);
  const seat = world.start({ from: { name: null, all: false, copiedTurns: "all" } }, { columns: 100, rows: 30 });
  await seat.shows("Fork: this folder, last used first");
  await press(seat, keys.enter, "is a copy of thread");
  await write(seat, "go on", "tokens:");
  expect(readSent(world.model.requests[1])).toContain("first question");
});

test("/resume marks the thread that is open now, and begins at the latest of the others", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start();
  await seat.shows(ready);
  await write(seat, "first question", "tokens:");
  await say(seat, "/resume", "There is no other thread.");
  await write(seat, "/new", "New thread.");
  await write(seat, "second question", "tokens:");
  await say(seat, "/resume", "Resume: this folder");
  expect(rows(seat)).toEqual([
    expect.stringMatching(/^  second question +\(current\)/),
    expect.stringMatching(/^› first question/),
  ]);
  await press(seat, keys.up, "› second question");
  await press(seat, keys.enter, "You are already in this thread.");
});

test.each([
  { name: "painted", plain: false },
  { name: "line by line", plain: true },
])("a thread is resumed by its name, unless two have it, $name", async ({ plain }) => {
  await using world = await openTerminalWorld();
  const seat = world.start({ plain }, { columns: 100, rows: 30 });
  await seat.shows(ready);
  await write(seat, "first question", "tokens:");
  await write(seat, "/rename tea time", "Name: tea time");
  await write(seat, "/new", "New thread.");
  await write(seat, "second question", "tokens:");
  await write(seat, "/resume tea time", "Resumed thread");
  await write(seat, "/new", "New thread.");
  await write(seat, "third question", "tokens:");
  await write(seat, "/rename tea time", "Name: tea time");
  await write(seat, "/new", "New thread.");
  await write(seat, "/resume tea time", "2 threads have the name tea time. Give the id of one: ");
  expect((await list(world)).filter(({ name }) => name === "tea time")).toHaveLength(2);
});
