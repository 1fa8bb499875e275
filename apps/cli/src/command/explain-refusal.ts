import { type JournalEntry, replayThread, type ThreadItem } from "@unroll/protocol";
import { showExact } from "@unroll/text";
import type { CommandRun } from "../run-command.ts";
import { loadThread } from "./saved-thread.ts";

type RefusedItem = Extract<ThreadItem, { readonly type: "command_execution" | "file_change" }>;

/** `unroll sandbox --why`: shows the last refused call in the latest thread of this folder. Throws if there is no thread. */
export async function explainRefusal(run: CommandRun): Promise<number> {
  const { entries, threadId } = await loadThread("last", run);
  const item = findRefused(entries);
  if (item === null) {
    await run.print(`Nothing was refused in the latest thread of this folder (${threadId}).`);
    return 0;
  }
  const lines = [
    item.type === "command_execution"
      ? `command: ${item.command}`
      : `patch of: ${item.changes.map(({ path }) => path).join(", ")}`,
    ...(item.cwd === undefined ? [] : [`folder: ${item.cwd}`]),
    `refused: ${item.reason ?? "no reason was recorded"}`,
    `what to do: ${adviseOn(item)}`,
  ];
  // the model wrote the command: a newline in it must not look like one of our lines
  await run.print(showExact(lines.map((line) => line.replaceAll("\n", "\\u{a}")).join("\n")));
  return 0;
}

function findRefused(entries: readonly JournalEntry[]): RefusedItem | null {
  let refused: RefusedItem | null = null;
  for (const event of replayThread(entries)) {
    if (event.type !== "item.completed") continue;
    const { item } = event;
    if (item.type !== "command_execution" && item.type !== "file_change") continue;
    if (item.status === "declined" || (item.type === "command_execution" && item.code === "sandbox_denied"))
      refused = item;
  }
  return refused;
}

function adviseOn(item: RefusedItem): string {
  const code = item.type === "command_execution" ? item.code : undefined;
  if (code === "sandbox_unavailable") return "run unroll doctor; it explains how to get a sandbox here.";
  if (code === "sandbox_denied")
    return 'unroll sandbox --explain lists what the sandbox enforces; with approval_policy = "on-request" the model can ask to leave it.';
  return "approve it when you are asked, or add a rule (docs/rules.md); unroll execpolicy check shows which rule decides.";
}
