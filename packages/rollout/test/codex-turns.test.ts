import { appendFileSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type JournalEntry, replayThread, type ThreadItem } from "@unroll/protocol";
import { expect, test } from "vitest";
import { listEntries, openStoreWorld, type StoreWorld, writeThread } from "./store-world.ts";

const threads = [
  { version: "0.92.0", threadId: "01a20021-fa32-7142-a8f1-816c20560b0d" },
  { version: "0.169.0", threadId: "01a20022-2187-7ac0-b6b4-dc79acab60e7" },
] as const;

function copyThread({ codexHome }: StoreWorld, { version, threadId }: (typeof threads)[number]): void {
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
