import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApprovalDecision, Journal, JournalEntry, Person, Question } from "@unroll/protocol";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
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

const command = (text: string) => ({ call: "shell_command", arguments: { command: text, login: false } });
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

test("a yes for a file is none once the thread is read-only, and counts again where it was given", async () => {
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

test.skipIf(!hasSandbox)("a yes within walls is none without them, nor with the network open", async () => {
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

test("a yes that an older thread kept without what it was given under counts as none", async () => {
  const { entries, journal } = createJournal();
  const make = command("touch made");
  await using world = await openWorld(make, make, make);
  const config = ["approval_policy=untrusted"];
  const first = await world.openThread({ person: agree(), config, journal });
  await runToEnd(first, "Go");
  await first[Symbol.asyncDispose]();

  // the same walls and policy in another harness: it counts
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

/** The entry as a thread wrote it that kept these. */
function withApproved(entry: JournalEntry, approved: readonly string[]): JournalEntry {
  return entry.type === "note" && entry.key === "approved" ? ({ ...entry, value: approved } as JournalEntry) : entry;
}
