import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Journal, JournalEntry, RecordedSettings } from "@unroll/protocol";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const said = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });
const touch = (name: string): object => ({
  call: "exec_command",
  arguments: { cmd: `touch ${name}`, login: false },
});

function textsOf(input: readonly Record<string, unknown>[]): readonly string[] {
  return input.map((item) => JSON.stringify(item["content"] ?? item["output"] ?? null));
}

test("a change reaches the model by one message, and gates obey it from the next call on", async () => {
  const turns = [{ items: [touch("a")] as never }, said("One."), { items: [touch("b")] as never }, said("Two.")];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread({ config: ["approval_policy=never"] });
  await runToEnd(thread, "Go");
  thread.change({ approvalPolicy: "untrusted" });
  const { events } = await runToEnd(thread, "Go on");
  expect(world.model.violations).toEqual([]);
  expect(
    textsOf(world.model.requests[2]?.input ?? []).filter((text) => text.includes("The permissions have changed")),
  ).toHaveLength(1);
  expect(events).toContainEqual({
    type: "item.completed",
    item: expect.objectContaining({ type: "command_execution", command: "touch b", status: "declined" }),
  });
});

test("a change that changes nothing says nothing", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  await using thread = await world.openThread({ config: ["approval_policy=never"] });
  await runToEnd(thread, "Go");
  const before = world.model.requests[0]?.input.length ?? 0;
  thread.change({ approvalPolicy: "never" });
  thread.change({ reasoningEffort: "high" });
  await runToEnd(thread, "Go on");
  expect(world.model.requests[1]?.input).toHaveLength(before + 2);
  expect(world.model.requests[1]?.raw.toString()).toContain('"effort":"high"');
});

test("a new working folder is sent as a message, and commands run there", async () => {
  const pwd = { call: "exec_command", arguments: { cmd: "pwd", login: false } };
  await using world = await openThreadWorld(
    { script: { turns: [said("One."), { items: [pwd] }, said("Two.")] } },
    { files: { "sub/x": "" } },
  );
  await using thread = await world.openThread();
  await runToEnd(thread, "Go");
  thread.change({ cwd: `${world.work}/sub` });
  await runToEnd(thread, "Where?");
  const input = textsOf(world.model.requests[2]?.input ?? []);
  expect(input.filter((text) => text.includes(`<cwd>${world.work}/sub</cwd>`))).toHaveLength(1);
  expect(input.at(-1)).toContain(`${world.work}/sub`);
});

const repository = { "theirs/.git/HEAD": "", "theirs/.git/objects/x": "", "theirs/.git/refs/x": "" };

test.for([
  ["are read where the user trusts that one", "theirs", true],
  ["are not read where the user trusts only the folder before", ".", false],
] as const)("the skills of a project that the thread goes to %s", async ([, trusted, isRead]) => {
  const skill = "---\nname: plan\ndescription: Plans.\n---\nPlan it.";
  const files = { ...repository, "theirs/.agents/skills/plan/SKILL.md": skill };
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } }, { files });
  const trust = `projects.${JSON.stringify(join(world.work, trusted))}.trust_level=trusted`;
  await using thread = await world.openThread({ config: [trust] });
  await runToEnd(thread, "Go");
  const { projectRoot, projectTrust } = thread.change({ cwd: "theirs" });
  expect([projectRoot, projectTrust]).toEqual([join(world.work, "theirs"), isRead ? "trusted" : null]);
  await runToEnd(thread, "$plan and go");
  expect(world.model.requests[1]?.raw.includes("Plan it.")).toBe(isRead);
});

test("a program of the project that the thread goes to is none that only reads", async () => {
  const turns = [{ items: [{ call: "exec_command", arguments: { cmd: "ls", login: false } }] }, said("Done.")];
  const files = { ...repository, "theirs/bin/ls": "#!/bin/sh\ntouch made\n", "theirs/sub/x": "" };
  await using world = await openThreadWorld({ script: { turns } }, { files });
  const bin = join(world.work, "theirs/bin");
  await chmod(join(bin, "ls"), 0o755);
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  await using thread = await world.openThread({ config: ["approval_policy=untrusted"], env });
  thread.change({ cwd: "theirs/sub" });
  const { events } = await runToEnd(thread, "Go");
  expect(events).toContainEqual({
    type: "item.completed",
    item: expect.objectContaining({ type: "command_execution", command: "ls", status: "declined" }) as object,
  });
});

test("a thread continues from its journal in another harness: the prefix holds, and only changes are sent", async () => {
  const entries: JournalEntry[] = [];
  const journal: Journal = { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() };
  const plan = { call: "update_plan", arguments: { plan: [{ step: "Go", status: "pending" }] } };
  await using world = await openThreadWorld({
    script: { turns: [{ items: [plan] }, said("One."), said("Two."), said("Three.")] },
  });
  const first = await world.openThread({ journal });
  await runToEnd(first, "a");
  await first[Symbol.asyncDispose]();

  await using second = await world.openThread({ journal, entries: [...entries] });
  expect(second.id).toBe(first.id);
  await runToEnd(second, "b");
  await using third = await world.openThread({ journal, entries: [...entries], config: ["sandbox_mode=read-only"] });
  await runToEnd(third, "c");
  expect(world.model.violations).toEqual([]);
  const lengths = world.model.requests.map(({ input }) => input.length);
  // an answer and a message; then an answer, the new permissions and a message
  expect(lengths.slice(1)).toEqual([lengths[1], (lengths[1] ?? 0) + 2, (lengths[1] ?? 0) + 5]);
});

/** The same entries are resumed in several ways. */
const resumedOften = { respond: () => said("Done."), checks: { prefix: false } };

interface ThreadTarget {
  readonly world: ThreadWorld;
  readonly entries: readonly JournalEntry[];
}

/** With full access, and nobody to ask. */
async function keepThread(world: ThreadWorld): Promise<ThreadTarget> {
  const entries: JournalEntry[] = [];
  const journal: Journal = { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() };
  await using thread = await world.openThread({ journal });
  await runToEnd(thread, "Go.");
  return { world, entries };
}

/** As if the model had got these permissions, in this form. */
function withTold({ world, entries }: ThreadTarget, permissions: string): ThreadTarget {
  const change = (entry: JournalEntry): JournalEntry =>
    entry.type === "note" && entry.key === "told"
      ? { type: "note", key: "told", value: { environment: "", ...(entry.value as object), permissions } }
      : entry;
  return { world, entries: entries.map(change) };
}

/** How often the model gets new permissions when the thread resumes with these settings. */
async function countChanges({ world, entries }: ThreadTarget, ...config: readonly string[]): Promise<number> {
  await using thread = await world.openThread({ entries, config });
  await runToEnd(thread, "More.");
  const texts = textsOf(world.model.requests.at(-1)?.input ?? []);
  return texts.filter((text) => text.includes("permissions have changed")).length;
}

test("a thread of unroll 0.1 gets its permissions again if they changed, and not if only our words did", async () => {
  await using world = await openThreadWorld(resumedOften);
  const file = join(import.meta.dirname, "../../../conformance/threads/unroll-0.1-permissions.json");
  const recorded = JSON.parse(await readFile(file, "utf8")) as readonly {
    readonly context: object;
    readonly told: string;
  }[];
  const inFull = { sandboxPolicy: { mode: "danger-full-access" }, approvalPolicy: "never" };
  const { told = "" } = recorded.find(({ context }) => isDeepStrictEqual(context, inFull)) ?? {};
  // its words are others than ours
  const kept = withTold(await keepThread(world), told.replace("so the care is yours", "so take care"));
  expect(await countChanges(kept)).toBe(0);
  expect(await countChanges(kept, "sandbox_mode=read-only")).toBe(1);
  expect(await countChanges(kept, "approval_policy=untrusted")).toBe(1);
});

test("what a version before did not keep of the permissions counts as told, and what nobody can read does not", async () => {
  await using world = await openThreadWorld(resumedOften);
  const kept = await keepThread(world);
  const facts = { sandbox: "danger-full-access", approvals: "never", of_tomorrow: "x" };
  expect(await countChanges(withTold(kept, JSON.stringify(facts)))).toBe(0);
  expect(await countChanges(withTold(kept, JSON.stringify({ ...facts, approvals: "untrusted" })))).toBe(1);
  for (const unreadable of ["{}", "null", "no JSON"]) expect(await countChanges(withTold(kept, unreadable))).toBe(1);
});

test("after another program continued the thread under other permissions, the model gets ours again", async () => {
  await using world = await openThreadWorld(resumedOften);
  const { entries } = await keepThread(world);
  const settings = entries.findLast((entry) => entry.type === "settings")?.settings;
  if (settings === undefined) throw new Error("no settings were recorded");
  const { verbosity: _ours, ...others } = settings;
  const went = (more: Partial<RecordedSettings>): ThreadTarget => ({
    world,
    entries: [...entries, { type: "settings", settings: { ...others, ...more } }],
  });
  expect(await countChanges(went({}))).toBe(0);
  expect(await countChanges(went({ sandboxMode: "workspace-write" }))).toBe(1);
  expect(await countChanges(went({ approvalPolicy: "untrusted" }))).toBe(1);
});
