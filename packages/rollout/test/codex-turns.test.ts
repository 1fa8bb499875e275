import { appendFileSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type JournalEntry, replayThread, type ThreadItem } from "@unroll/protocol";
import { expect, test } from "vitest";
import { listEntries, openStoreWorld, type StoreWorld, writeThread } from "./store-world.ts";

const threads = [
  { version: "0.92.0", threadId: "01a20021-fa32-7142-a8f1-816c20560b0d" },
  { version: "0.169.0", threadId: "01a20022-2187-7ac0-b6b4-dc79acab60e7" },
] as const;

function copyThread(
  { codexHome }: StoreWorld,
  { version, threadId }: { readonly version: string; readonly threadId: string },
): void {
  const folder = join(codexHome, "sessions/2026/11/21");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `rollout-2026-11-21T22-02-36-${threadId}.jsonl`);
  copyFileSync(join(import.meta.dirname, `../../../conformance/threads/codex-${version}.jsonl`), path);
}

/** The events of a thread as a reader sees them, in short. */
function showTurns(entries: readonly JournalEntry[]): readonly string[] {
  return [...replayThread(entries)].flatMap((event) => {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the others are not of interest here
    switch (event.type) {
      case "turn.started":
        return ["started"];
      case "turn.completed":
        return ["completed"];
      case "turn.failed":
        return [event.error.code];
      case "compaction.completed":
        return ["compacted"];
      case "input.received":
        return [`you: ${event.input.map((part) => (part.type === "text" ? part.text : "image")).join("")}`];
      case "item.completed":
        return [showItem(event.item)];
      default:
        return [];
    }
  });
}

function showItem(item: ThreadItem): string {
  if (item.type === "agent_message" || item.type === "reasoning") return `${item.type}: ${item.text}`;
  if (item.type === "command_execution")
    return `${item.command}: ${item.exit_code} ${item.aggregated_output.slice(0, 5)}`;
  return item.type === "file_change" ? `${item.type}: ${item.changes.map(({ path }) => path).join()}` : item.type;
}

test.each(threads)(
  "the turns of a thread of the Codex CLI $version are read with all that was shown",
  async (thread) => {
    await using world = await openStoreWorld();
    copyThread(world, thread);
    const { entries } = await world.store.load(thread.threadId);
    const isOlder = thread.version === "0.92.0";
    expect(showTurns(entries).filter((line) => !line.includes("(cut)"))).toEqual([
      "started",
      "you: Look around",
      "reasoning: Look first.",
      "echo one; seq 1 20: 0 one\n1",
      "file_change: a.txt",
      "agent_message: One.",
      "todo_list",
      "completed",
      "started",
      "you: Go on",
      "agent_message: Two.",
      ...(isOlder
        ? ["compacted", "completed", "started"]
        : ["completed", "started", "agent_message: Three.", "compacted"]),
      "you: And on",
      "agent_message: Four.",
      "completed",
    ]);
  },
);

test("an interrupted turn and one that was cut off end as such, and ours beside them stay as they are", async () => {
  await using world = await openStoreWorld();
  const { id, path } = await writeThread(world, listEntries);
  const before = showTurns((await world.store.load(id)).entries);
  const say = (text: string): object => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
  const told = (payload: object, type = "event_msg"): string =>
    `${JSON.stringify({ timestamp: "2026-01-01T00:00:00Z", type, payload })}\n`;
  const more =
    told({ type: "task_started", turn_id: "theirs" }) +
    told(say("Wait"), "response_item") +
    told({ type: "turn_aborted", turn_id: "theirs", reason: "interrupted" }) +
    told({ type: "task_started", turn_id: "cut" }) +
    told(say("Again"), "response_item");
  appendFileSync(path, more);
  const after = showTurns((await world.store.load(id)).entries);
  expect(after).toEqual([...before, "started", "you: Wait", "interrupted", "started", "you: Again"]);
});

test("turns, commands and patches of Codex CLI 0.169 have their times and diffs", async () => {
  await using world = await openStoreWorld();
  const threadId = "01a20ac8-9f90-7c43-82ba-9dd0db4f211f";
  copyThread(world, { version: "0.169.0-patch", threadId });
  const { entries } = await world.store.load(threadId);
  const times = entries.flatMap((entry) =>
    entry.type === "turn.started" || entry.type === "turn.ended" ? [new Date(entry.at ?? 0).toISOString()] : [],
  );
  const ofTurns = ["49.976", "50.239", "50.515", "50.565"].map((seconds) => `2026-11-23T23:40:${seconds}Z`);
  expect(times).toEqual(ofTurns);
  const ended = entries.flatMap((entry) => (entry.type === "item.ended" ? [entry.item] : []));
  expect(ended.filter(({ type }) => type === "command_execution")).toMatchObject([
    { command: "cat a.txt; seq 1 3", started_at: 1_795_477_250_105, duration_ms: 1 },
    { command: "ls missing; exit 3", started_at: 1_795_477_250_212, duration_ms: 0 },
  ]);
  const folder = "/home/someone/project";
  expect(ended.find(({ type }) => type === "file_change")).toMatchObject({
    changes: [
      { path: `${folder}/a.txt`, kind: "update" },
      { path: `${folder}/b.txt`, kind: "delete" },
      { path: `${folder}/new.txt`, kind: "add" },
    ],
    diff: [
      `--- ${folder}/a.txt\n+++ ${folder}/a.txt\n@@ -1 +1 @@\n-a.txt\n+b.txt\n`,
      `--- ${folder}/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b.txt\n`,
      `--- /dev/null\n+++ ${folder}/new.txt\n@@ -0,0 +1 @@\n+hello\n`,
    ].join(""),
  });
});
