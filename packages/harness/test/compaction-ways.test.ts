import { access } from "node:fs/promises";
import { join } from "node:path";
import { forEach } from "@unroll/flow";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import {
  compact,
  listMissing,
  notes,
  openPrintingWorld,
  openStore,
  playWith,
  print,
  say,
  toPrompt,
} from "./compaction-world.ts";
import { runToEnd } from "./thread-world.ts";

const remote = ["model_providers.test.supports_compaction=true"];

test("a server that can compact does so; items that stay word for word stay all the same", async () => {
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

test("what a server returns beside its sealed item is sent from then on, in its order and as it was written; copies of your messages are not", async () => {
  const repeated = { type: "message", id: "msg_1", role: "user", content: [{ type: "input_text", text: "Count." }] };
  const content = [{ annotations: [], logprobs: [], type: "output_text", text: "In short." }];
  const returned = [
    { type: "message", status: "completed", role: "assistant", content, phase: "late" },
    { type: "compaction", encrypted_content: "c2VhbGVk" },
    { type: "of_tomorrow", b: 1, a: [2] },
  ];
  await using world = await openPrintingWorld({
    respond: playWith([print(30_000), print(20_000), say("One."), say("Two."), say("Three.")], []),
    compact: () => ({ items: [repeated, ...returned] }),
  });
  const store = openStore(world);
  await using thread = await world.openThread({ config: remote, store });
  await runToEnd(thread, "Count.");
  await compact(thread);
  await runToEnd(thread, "On.");
  await thread[Symbol.asyncDispose]();
  await using resumed = await world.openThread({ config: remote, store, resume: thread.id });
  await runToEnd(resumed, "And on.");
  for (const request of world.model.requests.slice(-2)) {
    const [, ...items] = toPrompt(request);
    const at = items.findIndex((item) => item.includes("In short."));
    expect(items.slice(at, at + 3)).toEqual(returned.map((item) => JSON.stringify(item)));
    expect(items.filter((item) => item.includes("Count."))).toHaveLength(1);
  }
  expect(world.model.violations).toEqual([]);
});

test("a compacted thread of the server that has a call without its output is not used, and the model is asked", async () => {
  const call = { type: "function_call", call_id: "x", name: "print", arguments: "{}" };
  await using world = await openPrintingWorld({
    respond: playWith([print(30_000), print(20_000), say("One.")], [say(notes)]),
    compact: () => ({ items: [call, { type: "compaction", encrypted_content: "c2VhbGVk" }] }),
  });
  await using thread = await world.openThread({ config: remote });
  await runToEnd(thread, "Count.");
  const { events, outcome } = await compact(thread);
  expect(outcome.type).toBe("completed");
  expect(events.find(({ type }) => type === "warning")).toMatchObject({
    message: expect.stringContaining("has a call without its output") as string,
  });
  expect(events.find(({ type }) => type === "compaction.completed")).toMatchObject({ method: "local", summary: notes });
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
  "a method that fails falls back to the other, with a warning: %s first",
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
    expect(shown.slice(1, 6)).toEqual([method, "request.started", "warning", other, "request.started"]);
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
    error: { code: "compaction_failed", message: expect.stringMatching(/stays as it was\. .*404.*400/) as string },
  });
  await runToEnd(thread, "On.");
  const [before = [], after = []] = [world.model.requests[2], world.model.requests.at(-1)].map(toPrompt);
  expect(after.slice(0, before.length)).toEqual(before);
});

test("an interrupted compaction leaves the thread unchanged; messages that arrive meanwhile come next", async () => {
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

test("a model that answers the wish for a summary by a call is asked once more, and the call is not run", async () => {
  const calling: Turn = { items: [{ call: "exec_command", arguments: { cmd: "touch ran", login: false } }] };
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
