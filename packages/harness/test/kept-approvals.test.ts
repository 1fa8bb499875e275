import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApprovalDecision, Journal, JournalEntry, Person, Question } from "@unroll/protocol";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { fakeServer } from "./mcp-servers.ts";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

interface Asked extends Person {
  readonly questions: readonly Question[];
}

/** Says yes for the thread to all of it. */
function agree(decision: ApprovalDecision = { type: "approved.thread" }): Asked {
  const questions: Question[] = [];
  return {
    questions,
    async answer(question) {
      questions.push(question);
      return decision;
    },
  };
}

const command = (text: string) => ({ call: "exec_command", arguments: { cmd: text, login: false } });
const update = (text: string) => ({
  custom: "apply_patch",
  input: `*** Begin Patch\n*** Update File: a.txt\n@@\n+${text}\n*** End Patch`,
});
const say = { items: [{ text: "Done." }] };

function createJournal(): { readonly entries: readonly JournalEntry[]; readonly journal: Journal } {
  const entries: JournalEntry[] = [];
  return { entries, journal: { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() } };
}

/** Each call a turn of its own. */
function openWorld(...calls: readonly object[]): Promise<ThreadWorld> {
  const turns = calls.flatMap((call) => [{ items: [call] as never }, say]);
  return openThreadWorld({ script: { turns } }, { files: { "a.txt": "old\n" } });
}

const outputsOf = ({ model }: ThreadWorld): readonly string[] =>
  (model.requests.at(-1)?.input ?? []).flatMap((item) => (typeof item["output"] === "string" ? [item["output"]] : []));

const untrusted = ["approval_policy=untrusted", "sandbox_mode=workspace-write"];

test("an approval for a file does not count while the thread is read-only, and counts again under the earlier settings", async () => {
  await using world = await openWorld(update("one"), update("two"), update("three"));
  const person = agree();
  await using thread = await world.openThread({ person, config: untrusted });
  await runToEnd(thread, "Go");
  thread.change({ sandboxMode: "read-only", approvalPolicy: "never" });
  const { events } = await runToEnd(thread, "Review it");
  expect(events).toContainEqual({
    type: "item.completed",
    item: expect.objectContaining({ type: "file_change", status: "declined" }),
  });
  expect(await readFile(join(world.work, "a.txt"), "utf8")).not.toContain("two");
  thread.change({ sandboxMode: "workspace-write", approvalPolicy: "untrusted" });
  await runToEnd(thread, "Go on");
  expect(await readFile(join(world.work, "a.txt"), "utf8")).toContain("three");
  expect(person.questions).toHaveLength(1);
});

const add = (path: string) => ({
  custom: "apply_patch",
  input: `*** Begin Patch\n*** Add File: ${path}\n+text\n*** End Patch`,
});

test("all edits in a read-only thread are approved with one answer: those that workspace-write allows, no commands, and in no other sandbox", async () => {
  const { entries, journal } = createJournal();
  const calls = [add("a.txt"), add("b.txt"), add(".git/hooks/pre-commit"), add("../outside.txt"), add("c.txt")];
  await using world = await openWorld(...calls, add("d.txt"));
  const edits = agree({ type: "approved.edits" });
  const slashTmp = "sandbox_workspace_write.exclude_slash_tmp=true";
  const config = ["approval_policy=on-request", "sandbox_mode=read-only", slashTmp];
  const first = await world.openThread({ person: edits, config, journal });
  for (const text of ["Go", "Again", "A hook", "Outside"]) await runToEnd(first, text);
  expect(edits.questions).toMatchObject([
    { type: "patch.approval", changes: [{ path: join(world.work, "a.txt") }] },
    { changes: [{ path: join(world.work, ".git/hooks/pre-commit") }], editFolders: [] },
    { changes: [{ path: join(world.work, "../outside.txt") }], editFolders: [] },
  ]);
  await access(join(world.work, "b.txt"));
  await expect(access(join(world.work, ".git/hooks/pre-commit"))).rejects.toThrow("ENOENT"); // the answer fits no such question
  await expect(access(join(world.work, "../outside.txt"))).rejects.toThrow("ENOENT");
  await first[Symbol.asyncDispose]();

  const no = agree({ type: "denied", reason: null });
  await using next = await world.openThread({ person: no, config, journal, entries: [...entries] });
  await runToEnd(next, "Another harness, the same sandbox");
  await access(join(world.work, "c.txt"));
  expect(no.questions).toEqual([]);
  next.change({ sandboxMode: "workspace-write", approvalPolicy: "untrusted" });
  await runToEnd(next, "Another sandbox");
  expect(no.questions).toMatchObject([{ type: "patch.approval" }]);
});

test.skipIf(!hasSandbox)("an approval inside the sandbox counts neither outside nor with network", async () => {
  const { entries, journal } = createJournal();
  const make = command("touch made");
  await using world = await openWorld(make, make, make, make);
  const person = agree();
  const thread = await world.openThread({ person, config: untrusted, journal });
  await runToEnd(thread, "Go");
  await runToEnd(thread, "Again");
  expect(person.questions).toHaveLength(1);
  thread.change({ sandboxMode: "danger-full-access" });
  await runToEnd(thread, "Without walls");
  expect(person.questions).toHaveLength(2);
  await thread[Symbol.asyncDispose]();

  const config = [...untrusted, "sandbox_workspace_write.network_access=true"];
  await using next = await world.openThread({ person, config, journal, entries: [...entries] });
  await runToEnd(next, "With the network");
  expect(person.questions).toHaveLength(3);
});

test("an approval from an older thread that did not record its settings does not count", async () => {
  const { entries, journal } = createJournal();
  const make = command("touch made");
  await using world = await openWorld(make, make, make);
  const config = ["approval_policy=untrusted"];
  const first = await world.openThread({ person: agree(), config, journal });
  await runToEnd(first, "Go");
  await first[Symbol.asyncDispose]();

  // it counts in another harness with the same sandbox and policy
  const silent = agree({ type: "denied", reason: "No." });
  const second = await world.openThread({ person: silent, config, journal, entries: [...entries] });
  await runToEnd(second, "Go");
  await second[Symbol.asyncDispose]();
  expect(silent.questions).toEqual([]);

  const argv = ["bash", "-c", "touch made"];
  const old = JSON.stringify(["command", argv, world.work, "policy"]);
  const older = entries.map((entry) => withApproved(entry, [old]));
  await using third = await world.openThread({ person: silent, config, journal, entries: older });
  await runToEnd(third, "Go");
  expect(silent.questions).toHaveLength(1);
  expect(outputsOf(world).at(-1)).toBe("The command was not run: The user said no, and: No.");
  await access(join(world.work, "made"));
});

test("an approval for typed text counts for that command only, not for another one, nor for starting one", async () => {
  const open = (cmd: string) => ({
    call: "exec_command",
    arguments: { cmd, login: false, tty: true, yield_time_ms: 0 },
  });
  const yes = (session: number) => ({
    call: "write_stdin",
    arguments: { session_id: session, chars: "y\n", yield_time_ms: 0 },
  });
  await using world = await openWorld(open("cat"), open("cat -u"), yes(1), yes(1), yes(2), open("y\n"));
  const person = agree();
  const config = ["shell_tool=exec_command", "approval_policy=untrusted"];
  await using thread = await world.openThread({ person, config });
  const asked: number[] = [];
  for (const text of ["a", "b", "c", "d", "e", "f"]) {
    await runToEnd(thread, text);
    asked.push(person.questions.length);
  }
  expect(asked).toEqual([0, 0, 1, 1, 2, 3]);
});

test("an approval for a server's tool does not count under a policy that refuses such tools, and counts again after it", async () => {
  const feed = { call: "mcp__zoo__echo", arguments: { at: "lion" } };
  const ran = expect.stringContaining("lion");
  await using world = await openWorld(feed, feed, feed);
  const person = agree();
  const config = [...fakeServer("zoo"), "approval_policy=on-request"];
  await using thread = await world.openThread({ person, config, waitForMcp: true });
  await runToEnd(thread, "Go");
  thread.change({ approvalQuestions: { rules: true, mcp: false } });
  await runToEnd(thread, "Go on");
  thread.change({ approvalPolicy: "on-request" });
  await runToEnd(thread, "And on");
  const refused = expect.stringMatching(/^The call was not run: .*The approval policy refuses that/);
  expect(outputsOf(world)).toEqual([ran, refused, ran]);
  expect(person.questions).toHaveLength(1);
});

/** The entry as a thread wrote it that kept these. */
function withApproved(entry: JournalEntry, approved: readonly string[]): JournalEntry {
  return entry.type === "note" && entry.key === "approved" ? ({ ...entry, value: approved } as JournalEntry) : entry;
}
