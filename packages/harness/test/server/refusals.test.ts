import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServerNote, ServerNotes } from "@unroll/config";
import type { JournalEntry, ThreadEvent } from "@unroll/protocol";
import { createOpenAiGuise, type ScriptTurn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "../thread-world.ts";

const done: ScriptTurn = { items: [{ text: "Done." }] };
const guise = createOpenAiGuise({ plainModels: ["gpt-4.1", "my-deployment", "gpt-5"], isVerified: false });

/** The warnings about refusals. */
function tellOf(events: readonly ThreadEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "warning" && event.message.includes("Retrying") ? [event.message] : [],
  );
}

function listAsked(world: ThreadWorld): readonly unknown[] {
  return world.model.requests.map(({ body: { include = null, reasoning = null } }) => ({ include, reasoning }));
}

test.for([
  ["model=gpt-4.1", "model_provider=test"],
  ["model=my-deployment", "model_provider=azure"],
  ["model=gpt-5", "models.gpt-5.efforts=[]"],
])("a model that does not reason is not asked for encrypted reasoning: %s", async (settings) => {
  await using world = await openThreadWorld({ script: { turns: [done] }, guise, checks: { fields: false } });
  const azure = `model_providers.azure.base_url=${world.model.url}`;
  await using thread = await world.openThread({ config: [azure, ...settings], env: { AZURE_OPENAI_API_KEY: "key" } });
  const { events, outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  expect(tellOf(events)).toEqual([]);
  expect(listAsked(world)).toEqual([{ include: null, reasoning: null }]);
});

test("o3 and o4-mini are asked for encrypted reasoning and summaries", async () => {
  await using world = await openThreadWorld({ script: { turns: [done, done] } });
  for (const model of ["o3", "o4-mini"]) {
    await using thread = await world.openThread({ config: [`model=${model}`] });
    const { events } = await runToEnd(thread, "Go");
    expect(events.filter(({ type }) => type === "warning")).toEqual([]);
  }
  const asked = { include: ["reasoning.encrypted_content"], reasoning: { summary: "auto" } };
  expect(listAsked(world)).toEqual([asked, asked]);
});

test("an account without summaries gets its answer by one more request and one warning, and spares the next thread", async () => {
  await using world = await openThreadWorld({ script: { turns: [done, done, done, done] }, guise });
  const config = ["model=o3", "model_reasoning_effort=low"];
  await using thread = await world.openThread({ config });
  const first = await runToEnd(thread, "Go");
  expect(first.outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  expect(tellOf(first.events)).toEqual([
    expect.stringMatching(
      /must be verified to generate .+ Retrying without reasoning summaries\. New threads with o3 do the same, until you run `unroll models --refresh`\.$/,
    ),
  ]);
  expect(first.events.map(({ type }) => type)).not.toContain("epoch.opened");
  const second = await runToEnd(thread, "Again");
  await using next = await world.openThread({ config });
  const third = await runToEnd(next, "Go");
  expect([...tellOf(second.events), ...tellOf(third.events)]).toEqual([]);
  const include = ["reasoning.encrypted_content"];
  const without = { include, reasoning: { effort: "low" } };
  expect(listAsked(world)).toEqual([
    { include, reasoning: { effort: "low", summary: "auto" } },
    without,
    without,
    without,
  ]);
  // at another address stands another server, and another model is another matter
  const note = JSON.parse(await readFile(join(world.home, ".codex/server-notes/test.json"), "utf8")) as unknown;
  expect(note).toEqual({
    refused: [{ model: "o3", base_url: world.model.url, features: ["reasoningSummaries"], members: [] }],
  });
  await using other = await world.openThread({ config: ["model=o4-mini"] });
  expect(tellOf((await runToEnd(other, "Go")).events)).toHaveLength(1);
  expect(world.model.violations).toEqual([]);
});

test("a thread whose server refuses encrypted reasoning continues without it, keeps its prefix, and starts so when it resumes", async () => {
  const call: ScriptTurn = { items: [{ call: "update_plan", arguments: { plan: [] } }] };
  await using before = await openThreadWorld({ script: { turns: [done] } });
  await using world = await openThreadWorld({ script: { turns: [call, done, done] }, guise });
  const entries: JournalEntry[] = [];
  const journal = { record: (entry: JournalEntry) => void entries.push(entry), settled: () => Promise.resolve() };
  await using opened = await before.openThread({ journal, config: ["model=gpt-5", "model_reasoning_summary=none"] });
  await runToEnd(opened, "Go");
  const config = ["model=gpt-5", "model_reasoning_summary=none"];
  const events: ThreadEvent[] = [];
  for (const input of ["On", "And on"]) {
    await using resumed = await world.openThread({ journal, entries: [...entries], config });
    events.push(...(await runToEnd(resumed, input)).events);
  }
  expect(tellOf(events)).toEqual([expect.stringContaining("Retrying without encrypted reasoning.")]);
  const include = ["reasoning.encrypted_content"];
  const reasoning = { effort: "medium" };
  const without = { include: null, reasoning };
  expect(listAsked(world)).toEqual([{ include, reasoning }, without, without, without]);
  const completed = events.flatMap((event) => (event.type === "request.completed" ? [event.cache.shared_bytes] : []));
  expect(completed.every((shared) => shared > 1000)).toBe(true);
  // the model's input begins as before: no warning about the cache
  expect(events.filter(({ type }) => type === "epoch.opened" || type === "warning")).toHaveLength(1);
  const prompts = [...before.model.requests, ...world.model.requests].map(({ raw }) =>
    raw.toString("utf8").replace(/,"include":\[.*?\]/, ""),
  );
  for (const [at, prompt] of prompts.slice(1).entries()) expect(prompt.startsWith(toPrefix(prompts[at]))).toBe(true);
  expect(world.model.violations).toEqual([]);
});

/** Everything before the end of the input. */
function toPrefix(prompt: string = ""): string {
  return prompt.slice(0, prompt.lastIndexOf("]"));
}

test("an unreadable note counts for nothing, and one that cannot be saved is reported", async () => {
  await using world = await openThreadWorld({ script: { turns: [done, done] }, guise });
  await mkdir(join(world.home, ".codex"));
  await writeFile(join(world.home, ".codex/server-notes"), "");
  await using thread = await world.openThread({ config: ["model=o3"] });
  const { events, outcome } = await runToEnd(thread, "Go");
  expect(outcome.type).toBe("completed");
  expect(tellOf(events)).toEqual([
    expect.stringContaining("New threads will try it again, because a note of it could not be saved: "),
  ]);
});

test("a program can remember refusals itself: its own notes spare the next thread, and no file is written", async () => {
  await using world = await openThreadWorld({ script: { turns: [done, done, done] }, guise });
  const saved = new Map<string, ServerNote>();
  const serverNotes: ServerNotes = {
    read: async ({ model }) => saved.get(model) ?? { features: ["a feature of another version"], members: [] },
    save: async ({ model }, note) => void saved.set(model, note),
  };
  for (const warnings of [1, 0]) {
    await using thread = await world.openThread({ serverNotes, config: ["model=o3"] });
    expect(tellOf((await runToEnd(thread, "Go")).events)).toHaveLength(warnings);
  }
  const features = ["a feature of another version", "reasoningSummaries"];
  expect([...saved]).toEqual([["o3", { features, members: [] }]]);
  await expect(stat(join(world.home, ".codex/server-notes"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("another error is not taken for a refusal, and a feature that is refused once more fails the turn", async () => {
  const refuse = (status: number, message: string): ScriptTurn => ({ status, body: { error: { message } } });
  const words = "Encrypted content is not supported with this model.";
  const turns = [refuse(403, words), refuse(400, "No."), refuse(400, words), refuse(400, words)];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread();
  for (const message of [words, "No.", words])
    expect((await runToEnd(thread, "Go")).outcome).toMatchObject({
      type: "failed",
      error: { message: expect.stringContaining(message) },
    });
  expect(listAsked(world).map((asked) => (asked as { include: unknown }).include !== null)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
