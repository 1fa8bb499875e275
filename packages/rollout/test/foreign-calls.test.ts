import type { JournalEntry } from "@unroll/protocol";
import { expect, test } from "vitest";
import { listEntries, openStoreWorld, toSent, writeThread } from "./store-world.ts";

test("a call whose item was not recorded has an unknown end, unless its output says how it ended", async () => {
  await using world = await openStoreWorld();
  const outputs = ["Still running: session 1\nWall time: 1 second\nOutput:\n", "Exit code: 3\nOutput:\nno\n", "hello"];
  const calls = outputs.flatMap((output, n) => [
    { type: "function_call", call_id: `${n}`, name: "exec_command", arguments: '{"cmd":"ls"}' },
    { type: "function_call_output", call_id: `${n}`, output },
  ]);
  const { id } = await writeThread(world, (own) => [
    ...listEntries(own).slice(0, 3),
    ...calls.map((item): JournalEntry => ({ type: "item", item: toSent(JSON.stringify(item)) })),
  ]);
  const { entries } = await world.store.load(id);
  const command = { type: "command_execution", command: "ls" };
  expect(entries.flatMap((entry) => (entry.type === "item.ended" ? [entry.item] : []))).toEqual([
    { id: "one_item_0", call_id: "0", ...command, status: "unknown", aggregated_output: outputs[0], exit_code: null },
    { id: "one_item_1", call_id: "1", ...command, status: "failed", aggregated_output: "no\n", exit_code: 3 },
    { id: "one_item_2", call_id: "2", ...command, status: "unknown", aggregated_output: "hello", exit_code: null },
  ]);
});
