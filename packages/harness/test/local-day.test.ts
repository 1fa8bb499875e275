import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Host } from "@unroll/harness";
import type { JournalEntry, MessageItem, SentItem } from "@unroll/protocol";
import type { JsonObject } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

type Day = ReturnType<Host["localDay"]>;

const monday: Day = { date: "2026-11-23", timeZone: "Europe/Berlin" };
const tuesday: Day = { date: "2026-11-24", timeZone: "Europe/Berlin" };
const answers = { script: { turns: [{ items: [{ text: "Yes." }] }], atEnd: "repeat-last" } } as const;

/** The text of each message that the harness or the user wrote, in order. */
function textsOf(input: readonly JsonObject[]): readonly string[] {
  const messages = input.filter(({ role }) => role === "user") as unknown as readonly MessageItem[];
  return messages.map(({ content }) => content.map((part) => ("text" in part ? part.text : "")).join(""));
}

function lastInput({ model }: ThreadWorld): readonly JsonObject[] {
  return model.requests.at(-1)?.input ?? [];
}

function environment({ work }: ThreadWorld, { date, timeZone }: Day): string {
  const zone = timeZone === null ? "" : `  <timezone>${timeZone}</timezone>\n`;
  return `<environment_context>\n  <cwd>${work}</cwd>\n  <shell>bash</shell>\n  <current_date>${date}</current_date>\n${zone}</environment_context>`;
}

test("a new thread tells the day and the time zone once, and a turn that begins on another day tells that one", async () => {
  let today = monday;
  await using world = await openThreadWorld(answers);
  await using thread = await world.openThread({ localDay: () => today });
  for (const word of ["One", "Two"]) await runToEnd(thread, word);
  const before = [environment(world, monday), "One", "Two"];
  expect(textsOf(lastInput(world))).toEqual(before);
  today = tuesday;
  for (const word of ["Three", "Four"]) await runToEnd(thread, word);
  expect(textsOf(lastInput(world))).toEqual([...before, environment(world, tuesday), "Three", "Four"]);
});

test("a day that begins during a turn is reported to the model before the next message, also in a thread that was opened and left", async () => {
  let today = monday;
  const night = { call: "exec_command", arguments: { cmd: "true", login: false } };
  const turns = [{ items: [night] }, { items: [{ text: "Done." }], repeat: 2 }];
  await using world = await openThreadWorld({
    respond: (_, index) => {
      if (index === 1) today = { ...tuesday, date: "2026-11-25" };
      return turns[Math.min(index, 1)] ?? null;
    },
  });
  await using thread = await world.openThread({ localDay: () => today });
  today = tuesday;
  await runToEnd(thread, "Work");
  const first = [environment(world, monday), environment(world, tuesday), "Work"];
  expect(textsOf(lastInput(world))).toEqual(first);
  await runToEnd(thread, "More");
  expect(textsOf(lastInput(world))).toEqual([...first, environment(world, today), "More"]);
});

test("the model gets a changed time zone, not an unknown one, and a changed folder comes with the known day", async () => {
  let today: Day = monday;
  await using world = await openThreadWorld(answers);
  await using thread = await world.openThread({ localDay: () => today });
  await runToEnd(thread, "One");
  today = { ...monday, timeZone: "Asia/Tokyo" };
  await runToEnd(thread, "Two");
  today = { ...monday, timeZone: null };
  await runToEnd(thread, "Three");
  expect(textsOf(lastInput(world)).filter((text) => text.startsWith("<env"))).toEqual([
    environment(world, monday),
    environment(world, { ...monday, timeZone: "Asia/Tokyo" }),
    environment(world, today),
  ]);
  today = monday;
  thread.change({ cwd: "/" });
  await runToEnd(thread, "Four");
  expect(textsOf(lastInput(world)).at(-2)).toBe(environment({ ...world, work: "/" }, monday));
});

/** The messages and notes of a thread by an older unroll that sent no day. */
async function recordOldThread(world: ThreadWorld, threadId: string): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const journal = { record: (entry: JournalEntry) => void entries.push(entry), settled: async () => {} };
  const thread = await world.openThread({ journal, localDay: () => monday });
  await runToEnd(thread, "One");
  await thread[Symbol.asyncDispose]();
  const toOld = (text: string): string =>
    text.replaceAll(/(\\n| {2}<(current_date|timezone)>.*?<\/\2>\\n| {2}(?=<(?:cwd|shell)>))/g, (found) =>
      found.includes("date") || found.includes("timezone") ? "" : found.trim(),
    );
  const toOldItem = ({ bytes }: SentItem): SentItem => {
    const text = toOld(Buffer.from(bytes).toString());
    return { item: JSON.parse(text) as SentItem["item"], bytes: Buffer.from(text) };
  };
  return entries.map((entry) => {
    if (entry.type === "thread.opened") return { ...entry, threadId };
    if (entry.type === "item") return { ...entry, item: toOldItem(entry.item) };
    if (entry.type !== "note" || entry.key !== "told") return entry;
    const told = entry.value as { readonly permissions: string; readonly environment: string };
    return { ...entry, value: { ...told, environment: toOld(told.environment) } };
  });
}

test("a thread without a day in its messages keeps them, and gets the day once it differs from that of its last request", async () => {
  await using world = await openThreadWorld(answers);
  const entries = await recordOldThread(world, "00000000-0000-7000-8000-00000000001d");
  const ended = Date.now();
  let today = monday;
  await using thread = await world.openThread({ entries, localDay: (at) => (at <= ended ? monday : today) });
  await runToEnd(thread, "Two");
  const old = `<environment_context>\n<cwd>${world.work}</cwd>\n<shell>bash</shell>\n</environment_context>`;
  expect(textsOf(lastInput(world))).toEqual([old, "One", "Two"]);
  today = tuesday;
  for (const word of ["Three", "Four"]) await runToEnd(thread, word);
  expect(textsOf(lastInput(world))).toEqual([old, "One", "Two", environment(world, tuesday), "Three", "Four"]);
});

test("such a thread that resumes on another day gets that day before the user's message", async () => {
  await using world = await openThreadWorld(answers);
  const entries = await recordOldThread(world, "00000000-0000-7000-8000-00000000003d");
  const ended = Date.now();
  await using thread = await world.openThread({ entries, localDay: (at) => (at <= ended ? monday : tuesday) });
  await runToEnd(thread, "Two");
  expect(textsOf(lastInput(world)).slice(1)).toEqual(["One", environment(world, tuesday), "Two"]);
});

test("if the time of its last request is unknown, such a thread gets the day at its next turn", async () => {
  await using world = await openThreadWorld(answers);
  const entries = await recordOldThread(world, "00000000-0000-7000-8000-00000000002d");
  const unknown = entries.filter(({ type }) => type !== "request");
  await using thread = await world.openThread({ entries: unknown, localDay: () => monday });
  await runToEnd(thread, "Two");
  expect(textsOf(lastInput(world)).slice(1)).toEqual(["One", environment(world, monday), "Two"]);
});

test("a thread that resumes in another harness gets the day only if it changed", async () => {
  await using world = await openThreadWorld(answers);
  const entries: JournalEntry[] = [];
  const journal = { record: (entry: JournalEntry) => void entries.push(entry), settled: async () => {} };
  const first = await world.openThread({ journal, localDay: () => monday });
  await runToEnd(first, "One");
  await first[Symbol.asyncDispose]();
  const same = await world.openThread({ journal, entries: [...entries], localDay: () => monday });
  await runToEnd(same, "Two");
  await same[Symbol.asyncDispose]();
  await using later = await world.openThread({ entries, localDay: () => tuesday });
  await runToEnd(later, "Three");
  expect(textsOf(lastInput(world))).toEqual([
    environment(world, monday),
    "One",
    "Two",
    environment(world, tuesday),
    "Three",
  ]);
});

test.for([
  [{ TZ: "Asia/Tokyo" }, { date: "2026-11-24", timeZone: "Asia/Tokyo" }],
  [{ TZ: "America/New_York" }, { date: "2026-11-23", timeZone: "America/New_York" }],
  [{ TZ: "UTC" }, { date: "2026-11-23", timeZone: "UTC" }],
] as const)("this machine's day is that of its time zone: %j", async ([env, expected]) => {
  const at = Date.UTC(2026, 10, 23, 20);
  const program = `import { nodeHost } from "@unroll/harness/node"; console.log(JSON.stringify(nodeHost().localDay(${at})));`;
  const args = ["--conditions=@unroll/source", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: import.meta.dirname,
    env: { PATH: process.env["PATH"], HOME: "/", ...env },
  });
  expect(JSON.parse(stdout)).toEqual(expected);
});
