import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Journal, JournalEntry, Person, Question } from "@unroll/protocol";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadSettings, type ThreadWorld } from "./thread-world.ts";

const said = (text: string): Turn => ({ items: [{ reasoning: "Hm." }, { text }] });
const anew = (turn: Turn): Turn => ({ ...turn, newEpoch: true });

/** A thread that each opening resumes. */
function createKept(world: ThreadWorld): (settings?: ThreadSettings) => ReturnType<ThreadWorld["openThread"]> {
  const entries: JournalEntry[] = [];
  const journal: Journal = { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() };
  return (settings = {}) => world.openThread({ ...settings, journal, entries: [...entries] });
}

async function runOnce(opening: ReturnType<ThreadWorld["openThread"]>, input: string) {
  await using thread = await opening;
  return await runToEnd(thread, input);
}

function answering(type: "approved.once" | "denied"): { readonly person: Person; readonly asked: Question[] } {
  const asked: Question[] = [];
  const answer = type === "denied" ? ({ type, reason: null } as const) : { type };
  return { asked, person: { answer: async (question) => (asked.push(question), answer) } };
}

test("a thread continues with another model if you approve, after a question that names the cost; the event names the cause", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), anew(said("Two.")), said("Three.")] } });
  const open = createKept(world);
  await runOnce(open(), "a");
  const { person, asked } = answering("approved.once");
  const { events } = await runOnce(open({ config: ["model=gpt-5"], person }), "b");
  const cause = "the model was changed from gpt-5-codex of test to gpt-5 of test";
  expect(asked).toMatchObject([
    {
      type: "prefix.break",
      itemId: null,
      opened: { model: "gpt-5-codex", provider: "test" },
      reason: expect.stringContaining(`Continuing would resend the whole thread uncached, because ${cause}.`),
      changes: [
        "gpt-5 of test instead of gpt-5-codex of test",
        "earlier reasoning (1 item) is left out: only the other model can read it",
      ],
      tokens: expect.any(Number),
    },
  ]);
  const items = world.model.requests[1]?.input ?? [];
  expect(events.map(({ type }) => type).slice(0, 4)).toEqual([
    "thread.started",
    "question.asked",
    "question.answered",
    "epoch.opened",
  ]);
  const first_difference = { index: null, type: "model" };
  expect(events[3]).toEqual({
    type: "epoch.opened",
    cause,
    items: items.length - 1,
    shared_items: 0,
    first_difference,
  });
  const answered = events.find((event) => event.type === "request.completed");
  expect(answered?.cache.miss).toMatchObject({ type: "model_changed", first_difference });
  expect(items.map(({ type }) => type)).not.toContain("reasoning");
  expect(JSON.stringify(items)).toContain("One.");
  await using changed = await open({ config: ["model=gpt-5"] });
  await expect(changed.undoCompaction()).rejects.toMatchObject({ code: "nothing_to_undo" });
  await runToEnd(changed, "c");
  expect(world.model.requests.map(({ body }) => body["model"])).toEqual(["gpt-5-codex", "gpt-5", "gpt-5"]);
  expect(world.model.violations).toEqual([]);
});

test("without approval the model does not change, nothing is sent, and the thread stays as it was", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  const open = createKept(world);
  await runOnce(open(), "a");
  const { person } = answering("denied");
  for (const settings of [{ person }, {}, { person: { ...person, takes: [] } }]) {
    await expect(open({ config: ["model=gpt-5"], ...settings })).rejects.toMatchObject({
      code: "other_model",
      message: expect.stringContaining("was opened with the model gpt-5-codex of test"),
    });
  }
  expect((await runOnce(open(), "b")).outcome.type).toBe("completed");
  expect(world.model.violations).toEqual([]);
});

test("changed tools alone do not break the cache: the thread's listed tools still run, and new ones need an explicit choice", async () => {
  const run = (command: string): Turn => ({ items: [{ call: "shell_command", arguments: { command, login: false } }] });
  const patch = "*** Begin Patch\n*** Add File: made\n+made\n*** End Patch";
  const apply: Turn = { items: [{ call: "apply_patch", arguments: { input: patch } }] };
  const turns = [said("One."), run("echo ran"), apply, said("Two."), anew(said("Three."))];
  await using world = await openThreadWorld({ script: { turns } });
  const open = createKept(world);
  // as a thread of an earlier version began, or one with another config
  const before = ["shell_tool=shell_command", 'models.gpt-5-codex.apply_patch_tool="function"'];
  await runOnce(open({ config: before }), "a");
  const { events } = await runOnce(open(), "b");
  expect(events).toContainEqual({
    type: "warning",
    message: expect.stringContaining(
      "keeps its earlier tools, so that the provider's cache stays valid, although the tool shell_command is gone, the tool exec_command is new, the tool write_stdin is new, the tool apply_patch has other parameters",
    ),
  });
  const outputs = (world.model.requests[3]?.input ?? []).flatMap(({ output }) => output ?? []);
  expect(outputs).toEqual([
    expect.stringMatching(/^Exit code: 0\n.*\nOutput:\nran\n$/),
    expect.stringContaining("A made"),
  ]);
  await runOnce(open({ allowCacheBreak: true }), "c");
  const names = world.model.requests.map(({ raw }) => raw.includes('"exec_command"'));
  expect(names).toEqual([false, false, false, false, true]);
  const [second, third] = world.model.requests.slice(-2).map(({ input }) => input);
  expect(third?.slice(0, second?.length)).toEqual(second);
  expect(world.model.violations).toEqual([]);
});

test("AGENTS.md, skills and developer instructions are sent again only if they changed, over a resume and between turns", async () => {
  await using world = await openThreadWorld(
    { script: { turns: [said("x")], atEnd: "repeat-last" } },
    { files: { "AGENTS.md": "Use tabs." } },
  );
  const open = createKept(world);
  const write = (name: string, text: string): Promise<void> => writeFile(join(world.work, name), text);
  const added = (): readonly string[] => {
    const [before, now] = world.model.requests.slice(-2).map(({ input }) => input);
    const ours = (now ?? []).slice(before?.length).filter(({ role }) => role !== "assistant");
    return ours.flatMap(({ type, content }) => (type === "message" ? [JSON.stringify(content)] : []));
  };
  await runOnce(open(), "first");
  await runOnce(open(), "same");
  expect(added()).toEqual([expect.stringContaining("same")]);
  await write("AGENTS.md", "Use spaces.");
  await runOnce(open({ config: ['developer_instructions="Be kind."'] }), "changed");
  expect(added()).toEqual([
    expect.stringMatching(/developer instructions have changed.*Be kind\./),
    expect.stringMatching(/AGENTS\.md instructions have changed.*Use spaces\./),
    expect.stringContaining("changed"),
  ]);
  await using thread = await open();
  await runToEnd(thread, "gone");
  expect(added()).toEqual([
    expect.stringContaining("no developer instructions any more"),
    expect.stringContaining("gone"),
  ]);
  await write("AGENTS.md", "");
  await runToEnd(thread, "between turns");
  expect(added()).toEqual([
    expect.stringContaining("no AGENTS.md instructions any more"),
    expect.stringContaining("between"),
  ]);
  expect(world.model.violations).toEqual([]);
});
