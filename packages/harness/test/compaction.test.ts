import { forEach } from "@unroll/flow";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import {
  asksForNotes,
  compact,
  extendsPrompt,
  listMissing,
  never,
  notes,
  openPrintingWorld,
  openStore,
  overflow,
  playWith,
  print,
  readOnly,
  say,
  toPrompt,
} from "./compaction-world.ts";
import { runToEnd } from "./thread-world.ts";

test("over turns, a changed sandbox, a resume and a compaction, only the first request after the compaction breaks the prefix, and keeps its beginning", async () => {
  const turns = [
    print(30_000),
    print(30_000),
    say("One."),
    say("Two."),
    say("Three."),
    { ...say("Four."), newEpoch: true },
    say("Five."),
  ];
  await using world = await openPrintingWorld({ respond: playWith(turns, [say(notes)]) });
  const first = await world.openThread({ store: openStore(world) });
  await runToEnd(first, "Count to one.");
  first.change({ sandboxSettings: readOnly });
  await runToEnd(first, "Count to two.");
  await first[Symbol.asyncDispose]();
  await using thread = await world.openThread({
    store: openStore(world),
    resume: first.id,
    config: ["sandbox_mode=read-only"],
  });
  await runToEnd(thread, "Count to three.");
  const { events, outcome } = await compact(thread);
  expect(outcome).toMatchObject({ type: "completed", usage: { input_tokens: expect.any(Number) as number } });
  expect(outcome.usage.input_tokens).toBeGreaterThan(15_000);
  expect(events.map(({ type }) => type)).toEqual([
    "turn.started",
    "compaction.started",
    "request.started",
    "request.completed",
    "compaction.completed",
    "epoch.opened",
    "turn.completed",
  ]);
  await runToEnd(thread, "Count to four.");
  await runToEnd(thread, "Count to five.");

  const prompts = world.model.requests.map(toPrompt);
  const at = world.model.requests.findIndex(asksForNotes);
  const broken = prompts.flatMap((prompt, index) => (extendsPrompt(prompt, prompts[index - 1] ?? []) ? [] : [index]));
  expect(broken).toEqual([at + 1]);
  const [asked = [], anew = []] = [prompts[at], prompts[at + 1]];
  const initial = prompts[0]?.slice(0, -1) ?? [];
  expect(anew.slice(0, initial.length)).toEqual(initial);
  const opened = events.find((event) => event.type === "epoch.opened");
  expect(opened).toMatchObject({
    cause: "you requested it",
    items: anew.length - 2,
    shared_items: initial.length,
  });
  // what people said and the changed sandbox stay, the long outputs go
  expect(
    listMissing(anew, ["Count to one.", "Count to two.", "Count to three.", "# Sandbox: read-only", notes]),
  ).toEqual([]);
  expect(anew.join().length).toBeLessThan(asked.join().length - 50_000);
  expect(world.model.violations).toEqual([]);
});

test("a compacted thread continues in another process from the bytes of its new beginning, and undo returns to the old ones", async () => {
  const turns = [
    print(30_000),
    say("One."),
    { ...say("Two."), newEpoch: true },
    say("Three."),
    { ...say("Four."), newEpoch: true },
  ];
  await using world = await openPrintingWorld({ respond: playWith(turns, [say(notes)]) });
  const thread = await world.openThread({ store: openStore(world) });
  await runToEnd(thread, "Count.");
  await compact(thread);
  await runToEnd(thread, "On.");
  await thread[Symbol.asyncDispose]();
  const resumed = await world.openThread({ store: openStore(world), resume: thread.id });
  await runToEnd(resumed, "And on.");
  await resumed.undoCompaction();
  await expect(resumed.undoCompaction()).rejects.toMatchObject({
    code: "nothing_to_undo",
    message: "Nothing to undo: every compaction is already undone.",
  });
  await resumed[Symbol.asyncDispose]();
  await using again = await world.openThread({ store: openStore(world), resume: thread.id });
  await runToEnd(again, "Back.");
  const prompts = world.model.requests.map(toPrompt);
  const [, before = [], , shortened = [], longer = [], back = []] = prompts;
  expect(longer.slice(0, shortened.length)).toEqual(shortened);
  expect(back.slice(0, before.length)).toEqual(before);
  expect(listMissing(back, ["One.", "On.", "Two.", "And on.", "Three.", "Back."])).toEqual([]);
  expect(listMissing(back, [notes])).toEqual([notes]);
});

test("what was shortened twice is undone twice, in one process and over two", async () => {
  const turns = [
    print(30_000),
    say("One."),
    { ...print(30_000), newEpoch: true },
    say("Two."),
    { ...say("Three."), newEpoch: true },
    say("Four."),
    { ...say("Five."), newEpoch: true },
    { ...say("Six."), newEpoch: true },
  ];
  await using world = await openPrintingWorld({ respond: playWith(turns, [say(notes), say(notes)]) });
  const store = openStore(world);
  const thread = await world.openThread({ store });
  for (const input of ["Count.", "Count on."]) {
    await runToEnd(thread, input);
    await compact(thread);
  }
  await runToEnd(thread, "And?");
  await using copy = await world.openThread({ store, fork: { id: thread.id } });
  await thread.undoCompaction();
  await thread[Symbol.asyncDispose]();
  await using resumed = await world.openThread({ store, resume: thread.id });
  await resumed.undoCompaction();
  await runToEnd(copy, "Copied.");
  for (const each of [copy, copy]) await each.undoCompaction();
  for (const each of [copy, resumed]) {
    await expect(each.undoCompaction()).rejects.toMatchObject({
      code: "nothing_to_undo",
      message: "Nothing to undo: every compaction is already undone.",
    });
    await runToEnd(each, "Back.");
  }
  const prompts = world.model.requests.map(toPrompt);
  const first = prompts[1] ?? [];
  for (const back of prompts.slice(-2)) {
    expect(back.slice(0, first.length)).toEqual(first);
    expect(listMissing(back, ["One.", "Count on.", "Two.", "And?", "Three.", "Back."])).toEqual([]);
  }
  expect(world.model.violations).toEqual([]);
});

test("a thread is compacted automatically before the window is full, between the requests of a turn too, and never between a call and its output", async () => {
  const full = { input_tokens: 17_000, output_tokens: 500, total_tokens: 17_500 };
  const turns = [print(8_000), print(8_000), { ...print(8_000), usage: full }, { ...say("Done."), newEpoch: true }];
  // all of it would leave no room for the summary
  const summaries = [{ ...say(notes), newEpoch: true }];
  await using world = await openPrintingWorld({ respond: playWith(turns, summaries) });
  await using thread = await world.openThread({ config: ["model_context_window=20000"] });
  const { events, outcome } = await runToEnd(thread, "Count to the end.");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  const cause = "it has reached its limit of 18,000 tokens";
  expect(events.find(({ type }) => type === "compaction.started")).toMatchObject({ cause, method: "local" });
  const anew = world.model.requests.at(-1);
  expect(JSON.stringify(anew?.input)).toContain("Count to the end.");
  expect(world.model.violations).toEqual([]);
});

test("a server that says that the thread is too long gets a compacted one, once; the summary leaves out the oldest items that do not fit", async () => {
  const turns = [print(20_000), print(20_000), print(20_000), overflow, { ...say("Done."), newEpoch: true }];
  const summaries = [
    { ...overflow, newEpoch: true },
    { ...say(notes), newEpoch: true },
  ];
  await using world = await openPrintingWorld({ respond: playWith(turns, summaries) });
  await using thread = await world.openThread();
  const { events, outcome } = await runToEnd(thread, "Count.");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  const sizes = world.model.requests.map(({ raw }) => raw.length);
  expect(sizes[4]).toBeLessThan(sizes[3] ?? 0);
  expect(sizes[5]).toBeLessThan(sizes[4] ?? 0);
  expect(events.filter(({ type }) => type === "compaction.started")).toMatchObject([
    { cause: "the model's server says that it is too long", method: "local" },
  ]);
  expect(world.model.violations).toEqual([]);
});

test("what is too long and cannot be made shorter says so and fails as it did, and is not tried again and again", async () => {
  await using world = await openPrintingWorld({ respond: playWith([overflow], []) });
  await using thread = await world.openThread();
  const { events, outcome } = await runToEnd(thread, "Count.");
  expect(outcome).toMatchObject({ type: "failed", error: { code: "context_length_exceeded" } });
  expect(events).toContainEqual({
    type: "warning",
    message: expect.stringMatching(
      /^Not compacted: about [\d,]+ of [\d,]+ tokens would remain \(too long for the model's server\)/,
    ) as string,
  });
  expect(world.model.requests).toHaveLength(1);
});

test("a thread that compaction would hardly shrink reports it once, across processes too, until it has grown", async () => {
  const full = (turn: Turn, tokens: number): Turn => ({
    ...turn,
    usage: { input_tokens: tokens, output_tokens: 0, total_tokens: tokens },
  });
  const sizes = [21_000, 21_100, 21_200, 21_300, 24_000, 24_100, 24_200];
  await using world = await openPrintingWorld({
    respond: playWith(
      sizes.map((size, index) => full(index === 0 ? print(10) : say("One."), size)),
      [],
    ),
  });
  const store = openStore(world);
  const limit = (tokens: number): readonly string[] => [`model_auto_compact_token_limit=${tokens}`];
  const first = await world.openThread({ store, config: limit(20_000) });
  const warnings: (readonly string[])[] = [];
  const run = async (thread: typeof first): Promise<void> => {
    const { events } = await runToEnd(thread, "Count.");
    warnings.push(events.flatMap((event) => (event.type === "warning" ? [event.message] : [])));
  };
  await run(first);
  await run(first);
  await first[Symbol.asyncDispose]();
  for (const tokens of [20_000, 20_000, 20_000, 23_000]) {
    await using resumed = await world.openThread({ store, resume: first.id, config: limit(tokens) });
    await run(resumed);
  }
  const said = (tokens: string, most: string): unknown =>
    expect.stringMatching(
      new RegExp(`^Not compacted: about [\\d,]+ of ${tokens} tokens would remain \\(limit: ${most}\\)`),
    );
  expect(warnings).toEqual([
    [said("21,\\d+", "20,000")],
    [],
    [],
    [],
    [said("24,\\d+", "20,000")],
    [said("24,\\d+", "23,000")],
  ]);
});

test("a message that arrives while a turn compacts its thread is part of the next request", async () => {
  const full = { input_tokens: 17_000, output_tokens: 500, total_tokens: 17_500 };
  await using world = await openPrintingWorld({
    respond: playWith(
      [print(8_000), print(8_000), { ...print(8_000), usage: full }, { ...say("Done."), newEpoch: true }],
      [{ ...say(notes), newEpoch: true }],
    ),
  });
  await using thread = await world.openThread({ config: ["model_context_window=20000"] });
  const turn = thread.run("Count.", { signal: never });
  await forEach(turn, async ({ type }) => {
    if (type === "compaction.started") await thread.send("By twos.");
  });
  const last = toPrompt(world.model.requests.at(-1));
  expect(listMissing(last, ["Count.", notes, "By twos."])).toEqual([]);
});

test("a compaction can be previewed, and the summary dwells on the focus that you give", async () => {
  await using world = await openPrintingWorld({
    respond: playWith([print(30_000), print(30_000), say("One.")], [say(notes)]),
  });
  await using thread = await world.openThread({
    config: ["compact_prompt=The conversation is about to be shortened: sum up."],
  });
  await runToEnd(thread, "Count.");
  const preview = await thread.previewCompaction();
  expect(preview).toMatchObject({
    type: "shorter",
    kept: { initialMessages: 2, userMessages: { kept: 1, all: 1 }, steps: { kept: 1, all: 3 } },
  });
  expect(preview.tokensBefore).toBeGreaterThan(15_000);
  expect(preview.tokensAfter).toBeLessThan(preview.tokensBefore);
  expect(world.model.requests).toHaveLength(3);
  await compact(thread, "the numbers");
  const [text = ""] = toPrompt(world.model.requests.at(-1)).slice(-1);
  expect(text).toContain(
    "about to be shortened: sum up.\\n\\nThe user asks that the notes dwell on this above all: the numbers",
  );
});

test("images count by their size in pixels, and stay where a person sent them last", async () => {
  const png = "iVBORw0KGgoAAAANSUhEUgAAA+gAAAPoCAY";
  const image = { type: "image", dataUrl: `data:image/png;base64,${png}${"A".repeat(200_000)}` } as const;
  await using world = await openPrintingWorld({
    respond: playWith([print(30_000), print(30_000), say("One."), { ...say("Two."), newEpoch: true }], [say(notes)]),
  });
  await using thread = await world.openThread();
  await runToEnd(thread, [{ type: "text", text: "Count these." }, image]);
  const preview = await thread.previewCompaction();
  expect(preview.type).toBe("shorter");
  await compact(thread);
  await runToEnd(thread, "On.");
  expect(listMissing(toPrompt(world.model.requests.at(-1)), ["Count these.", png])).toEqual([]);
});

test("the limit may count only the tokens since the thread started or was compacted", async () => {
  const first: Turn = { ...print(9_000), usage: { input_tokens: 9_000, output_tokens: 0, total_tokens: 9_000 } };
  const scope = (name: string): readonly string[] => [
    "model_context_window=40000",
    "model_auto_compact_token_limit=2000",
    `model_auto_compact_token_limit_scope=${name}`,
  ];
  for (const [bytes, isShortened] of [
    [9_000, true],
    [900, false],
  ] as const) {
    const turns = [
      { ...first, ...print(bytes) },
      { ...say("Done."), newEpoch: true },
    ];
    await using world = await openPrintingWorld({ respond: playWith(turns, [say(notes)]) });
    await using thread = await world.openThread({ config: scope("body_after_prefix") });
    const { events } = await runToEnd(thread, "Count.");
    expect(events.some(({ type }) => type === "epoch.opened")).toBe(isShortened);
  }
});

test("with compaction off, the turn fails with the server's error", async () => {
  await using world = await openPrintingWorld({ respond: playWith([print(30_000), print(30_000), overflow], []) });
  await using thread = await world.openThread({ config: ["model_auto_compact_token_limit=0"] });
  const { events, outcome } = await runToEnd(thread, "Count.");
  expect(outcome).toMatchObject({ type: "failed", error: { code: "context_length_exceeded" } });
  expect(events.filter(({ type }) => type === "compaction.started" || type === "warning")).toEqual([]);
});

test("an unreadable file with instructions for the summary is reported, and ours are used", async () => {
  await using world = await openPrintingWorld({ respond: playWith([say("One.")], []) });
  await using thread = await world.openThread({ config: ["experimental_compact_prompt_file=/proc/no/such/file"] });
  const { events } = await runToEnd(thread, "Count.");
  expect(events).toContainEqual({
    type: "warning",
    message:
      "experimental_compact_prompt_file: /proc/no/such/file is not there, so unroll's own instructions for summaries are used.",
  });
});

test("a thread that is not saved undoes its last compaction, and then says that it remembers no other", async () => {
  const turns = [
    print(30_000),
    say("One."),
    { ...print(30_000), newEpoch: true },
    say("Two."),
    { ...say("Three."), newEpoch: true },
  ];
  await using world = await openPrintingWorld({ respond: playWith(turns, [say(notes), say(notes)]) });
  await using thread = await world.openThread();
  const refused = (message: string) => expect(thread.undoCompaction()).rejects.toMatchObject({ message });
  await refused("Nothing to undo: the thread was never compacted.");
  for (const input of ["Count.", "Count on."]) {
    await runToEnd(thread, input);
    await compact(thread);
  }
  await thread.undoCompaction();
  await refused("Nothing to undo: a thread that is not saved remembers only its last compaction.");
});
