import { access } from "node:fs/promises";
import { join } from "node:path";
import { forEach } from "@unroll/flow";
import type { Thread } from "@unroll/harness";
import type { SandboxSettings, ThreadEvent, ThreadStore, TurnOutcome } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import type { CapturedRequest, ScriptedModelOptions, Turn } from "@unroll/scripted-model";
import { defineTool } from "@unroll/tools";
import { expect, test } from "vitest";
import * as z from "zod";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const never = new AbortController().signal;
const notes = "Task: count. Done: counted to the end. Next: nothing is left to do.";

function say(text: string): Turn {
  return { items: [{ text }] };
}

/** A tool whose output has so many bytes. */
const printer = defineTool({
  name: "print",
  description: "Prints.",
  input: z.strictObject({ bytes: z.number() }),
  approval: "run",
  run: async ({ bytes }) => "x".repeat(bytes),
});

function print(bytes: number): Turn {
  return { items: [{ call: "print", arguments: { bytes } }] };
}

const readOnly: SandboxSettings = {
  mode: "read-only",
  networkAccess: false,
  writableRoots: [],
  excludeSlashTmp: false,
  excludeTmpdirEnvVar: false,
  git: "writable",
  denyRead: [],
  allowWeaker: false,
  limits: { maxProcesses: null, maxMemoryMb: null },
};

/** Whether the request asks for a summary. */
function asksForNotes(request: CapturedRequest): boolean {
  return JSON.stringify(request.input.at(-1)).includes("about to be shortened");
}

/** Answers the turns in order, and requests for a summary beside them. */
function playWith(turns: readonly Turn[], summaries: readonly Turn[]): (request: CapturedRequest) => Turn | null {
  const [nextTurn, nextSummary] = [turns.values(), summaries.values()];
  return (request) => (asksForNotes(request) ? nextSummary : nextTurn).next().value ?? null;
}

async function compact(
  thread: Thread,
  focus?: string,
): Promise<{
  readonly events: readonly ThreadEvent[];
  readonly outcome: TurnOutcome;
}> {
  const events: ThreadEvent[] = [];
  const compacting = thread.compact({ signal: never, ...(focus !== undefined && { focus }) });
  const outcome = await forEach(compacting, (event) => void events.push(event));
  return { events, outcome };
}

/** As `openThreadWorld`, with the tool in each thread. */
async function openPrintingWorld(options: ScriptedModelOptions): Promise<ThreadWorld> {
  const world = await openThreadWorld(options);
  return { ...world, openThread: (settings) => world.openThread({ ...settings, tools: [printer] }) };
}

function openStore(world: ThreadWorld): ThreadStore {
  const codexHome = join(world.home, ".codex");
  return openThreadStore({ codexHome, clock: { now: Date.now }, pid: process.pid });
}

/** What the model sees of a request, item by item as the bytes that were sent. */
function toPrompt(request: CapturedRequest | undefined): readonly string[] {
  if (request === undefined) return [];
  const { body, input } = request;
  return [
    JSON.stringify([body["model"], body["instructions"], body["tools"]]),
    ...input.map((item) => JSON.stringify(item)),
  ];
}

function extendsPrompt(prompt: readonly string[], before: readonly string[]): boolean {
  return before.every((item, index) => prompt[index] === item);
}

function listMissing(prompt: readonly string[], texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !prompt.some((item) => item.includes(text)));
}

test("over turns, a changed sandbox, a resume and a compaction only the first request behind it begins anew, and keeps what can be kept", async () => {
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
    cause: "a person asked for it",
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

test("a thread that was shortened goes on in another process from the bytes of its new beginning, and undoing returns to the old", async () => {
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
  await expect(resumed.undoCompaction()).rejects.toMatchObject({ code: "nothing_to_undo" });
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

test("a conversation is shortened by itself before the window is full, between the requests of a turn too, and never between a call and its output", async () => {
  const full = { input_tokens: 17_000, output_tokens: 500, total_tokens: 17_500 };
  const turns = [print(8_000), print(8_000), { ...print(8_000), usage: full }, { ...say("Done."), newEpoch: true }];
  await using world = await openPrintingWorld({ respond: playWith(turns, [say(notes)]) });
  await using thread = await world.openThread({ config: ["model_context_window=20000"] });
  const { events, outcome } = await runToEnd(thread, "Count to the end.");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  const cause = "it has reached its limit of 18000 tokens";
  expect(events.find(({ type }) => type === "compaction.started")).toMatchObject({ cause, method: "local" });
  const anew = world.model.requests.at(-1);
  expect(JSON.stringify(anew?.input)).toContain("Count to the end.");
  expect(world.model.violations).toEqual([]);
});

const overflow: Turn = {
  status: 400,
  body: { error: { code: "context_length_exceeded", message: "Your input exceeds the context window." } },
};

test("a server that says that the conversation is too long gets it shortened and asked again, once; the summary leaves out the oldest that does not fit", async () => {
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
    message: expect.stringMatching(/^The conversation stays as it is: of its about \d+ tokens/) as string,
  });
  expect(world.model.requests).toHaveLength(1);
});

const remote = ["model_providers.test.supports_compaction=true"];

test("a server that can shortens the conversation by itself; what is kept word for word is kept all the same", async () => {
  const sealed = { type: "compaction", encrypted_content: "c2VhbGVk" };
  const repeated = { type: "message", role: "user", content: [{ type: "input_text", text: "Count." }] };
  await using world = await openPrintingWorld({
    respond: playWith([print(30_000), print(20_000), say("One."), say("Two.")], []),
    compact: () => ({ items: [repeated, sealed], usage: { input_tokens: 9, output_tokens: 1, total_tokens: 10 } }),
  });
  await using thread = await world.openThread({ config: remote });
  await runToEnd(thread, "Count.");
  const { events, outcome } = await compact(thread);
  expect(outcome).toMatchObject({ type: "completed", usage: { input_tokens: 9 } });
  expect(events.find(({ type }) => type === "compaction.completed")).toMatchObject({ method: "remote", summary: null });
  await runToEnd(thread, "On.");
  const [compaction] = world.model.compactions;
  expect(Object.keys(compaction?.body ?? {})).toEqual(["model", "instructions", "prompt_cache_key", "input"]);
  const types = world.model.requests.at(-1)?.input.map(({ type, role }) => role ?? type);
  expect(types).toEqual(["developer", "user", "user", "compaction", "assistant", "user"]);
  expect(world.model.violations).toEqual([]);
});

test.for([
  ["remote", undefined, [{ status: 404 }], [say(notes)]],
  [
    "local",
    "the numbers",
    [{ items: [{ type: "compaction", encrypted_content: "c2VhbGVk" }], newEpoch: true }],
    [{ status: 400 }],
  ],
] as const)(
  "a way that fails falls back to the other, and says so: %s first",
  async ([method, focus, compactions, summaries]) => {
    await using world = await openPrintingWorld({
      respond: playWith([print(30_000), print(30_000), say("One.")], summaries),
      compact: (_, index) => compactions[index] ?? null,
    });
    await using thread = await world.openThread({ config: remote });
    await runToEnd(thread, "Count.");
    const { events, outcome } = await compact(thread, focus);
    expect(outcome.type).toBe("completed");
    const shown = events.map((event) => (event.type === "compaction.started" ? event.method : event.type));
    const other = method === "remote" ? "local" : "remote";
    expect(shown.slice(1, 4)).toEqual([method, "warning", other]);
    expect(shown.slice(-3)).toEqual(["compaction.completed", "epoch.opened", "turn.completed"]);
  },
);

test("where both ways fail the turn fails and says why, and nothing is lost", async () => {
  await using world = await openPrintingWorld({
    respond: playWith(
      [print(30_000), print(30_000), say("One."), { ...say("Two."), newEpoch: true }],
      [{ status: 400 }],
    ),
    compact: () => ({ status: 404 }),
  });
  await using thread = await world.openThread({ config: remote });
  await runToEnd(thread, "Count.");
  const { outcome } = await compact(thread);
  expect(outcome).toMatchObject({
    type: "failed",
    error: { code: "compaction_failed", message: expect.stringMatching(/stays as it is\. .*404.*400/) as string },
  });
  await runToEnd(thread, "On.");
  const [before = [], after = []] = [world.model.requests[2], world.model.requests.at(-1)].map(toPrompt);
  expect(after.slice(0, before.length)).toEqual(before);
});

test("a compaction that is interrupted leaves the conversation as it was; what is said meanwhile comes next", async () => {
  const stop = new AbortController();
  await using world = await openPrintingWorld({
    respond: playWith(
      [print(30_000), print(30_000), say("One."), { ...say("Two."), newEpoch: true }],
      [{ ...say(notes), delayMs: 60_000 }],
    ),
  });
  await using thread = await world.openThread();
  await runToEnd(thread, "Count.");
  const compacting = thread.compact({ signal: stop.signal });
  const outcome = await forEach(compacting, async (event) => {
    if (event.type !== "compaction.started") return;
    await thread.send("Stop that.");
    stop.abort();
  });
  expect(outcome.type).toBe("interrupted");
  await runToEnd(thread, "On.");
  const [before = [], after = []] = [world.model.requests[2], world.model.requests.at(-1)].map(toPrompt);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length).map((item) => /One\.|Stop that\.|On\./.exec(item)?.[0])).toEqual([
    "One.",
    "Stop that.",
    "On.",
  ]);
});

test("what is said while a turn's conversation is shortened goes into the request behind it", async () => {
  const full = { input_tokens: 17_000, output_tokens: 500, total_tokens: 17_500 };
  await using world = await openPrintingWorld({
    respond: playWith(
      [print(8_000), print(8_000), { ...print(8_000), usage: full }, { ...say("Done."), newEpoch: true }],
      [say(notes)],
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

test("a model that answers the wish for a summary by a call is asked once more, and the call is not run", async () => {
  const calling: Turn = { items: [{ call: "shell_command", arguments: { command: "touch ran", login: false } }] };
  await using world = await openPrintingWorld({
    respond: (request, index) =>
      ([print(30_000), print(30_000), say("One."), calling, say(notes), { ...say("Two."), newEpoch: true }] as const)[
        index
      ] ?? (request.index, null),
  });
  await using thread = await world.openThread();
  await runToEnd(thread, "Count.");
  expect((await compact(thread)).outcome.type).toBe("completed");
  await runToEnd(thread, "On.");
  const [asked = [], again = [], after = []] = world.model.requests.slice(3).map(toPrompt);
  expect(again.slice(0, asked.length)).toEqual(asked);
  expect(listMissing(again, ["This call was not run"])).toEqual([]);
  expect(listMissing(after, ["touch ran"])).toEqual(["touch ran"]);
  await expect(access(join(world.work, "ran"))).rejects.toMatchObject({ code: "ENOENT" });
  expect(world.model.violations).toEqual([]);
});

test("a model that writes no summary, twice, fails the compaction", async () => {
  const empty: Turn = { items: [] };
  await using world = await openPrintingWorld({
    respond: (_, index) =>
      [print(30_000), print(30_000), say("One."), empty, { ...empty, newEpoch: true }][index] ?? null,
  });
  await using thread = await world.openThread();
  await runToEnd(thread, "Count.");
  const { outcome } = await compact(thread);
  expect(outcome).toMatchObject({ type: "failed", error: { code: "compaction_failed" } });
});

test("a thread is looked at before it is shortened, and the summary dwells on what a person names", async () => {
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
