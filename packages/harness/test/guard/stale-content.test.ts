import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { compact, notes, openPrintingWorld, playWith, print, say } from "../compaction-world.ts";
import { openThreadWorld, runToEnd } from "../thread-world.ts";

const step: Turn = { items: [{ reasoning: "Hm." }, { call: "update_plan", arguments: { plan: [] } }] };
const said = (text: string): Turn => ({ items: [{ reasoning: "Hm." }, { text }] });

test("encrypted reasoning that the server refuses is dropped once, and the turn continues", async () => {
  await using world = await openThreadWorld({
    script: { turns: [step, said("One."), { stale: true }, step, said("Two."), said("Three.")] },
  });
  await using thread = await world.openThread();
  await runToEnd(thread, "a");
  const { events, outcome } = await runToEnd(thread, "b");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Two." });
  const told = events.filter(({ type }) => type === "warning" || type === "epoch.opened");
  const items = (world.model.requests[3]?.input ?? []).length;
  expect(told).toEqual([
    { type: "warning", message: expect.stringContaining("Retrying without it") },
    {
      type: "epoch.opened",
      cause: "the server can no longer read the encrypted reasoning in it",
      items,
      shared_items: expect.any(Number),
      first_difference: { index: 3, type: "function_call" },
    },
  ]);
  expect((world.model.requests[2]?.input ?? []).length - items).toBe(2);
  expect((await runToEnd(thread, "c")).outcome.type).toBe("completed");
  // there is no way back to what is refused
  await expect(thread.undoCompaction()).rejects.toMatchObject({
    code: "nothing_to_undo",
    message:
      "Nothing to undo: the older items can no longer be sent since the thread was rebuilt (the server can no longer read the encrypted reasoning in it).",
  });
  expect(world.model.violations).toEqual([]);
});

test("what it refuses again, or what holds nothing encrypted, fails the turn; another answer is let be", async () => {
  const body = { error: { code: null, message: "The encrypted content gAAA could not be verified.", param: null } };
  const refused: Turn = { status: 400, body };
  await using world = await openThreadWorld({
    script: { turns: [said("One."), refused, { ...refused, newEpoch: true }, refused] },
  });
  await using thread = await world.openThread();
  await runToEnd(thread, "a");
  for (const input of ["b", "c"]) {
    const { outcome } = await runToEnd(thread, input);
    expect(outcome).toMatchObject({ error: { message: expect.stringContaining("could not be verified") } });
  }
  expect(world.model.requests).toHaveLength(4);
});

test("if only the server's compacted history is encrypted, it is dropped, and a warning reports the loss", async () => {
  const compaction = { type: "compaction", encrypted_content: "c29tZQ==" } as const;
  const items = [{ item: compaction, bytes: new TextEncoder().encode(JSON.stringify(compaction)) }];
  const entries = [{ type: "epoch", cause: "", isFinal: false, items }] as const;
  await using world = await openThreadWorld({ script: { turns: [{ stale: true }, { items: [{ text: "On." }] }] } });
  await using thread = await world.openThread({ entries });
  const { events, outcome } = await runToEnd(thread, "a");
  expect(outcome.type).toBe("completed");
  expect(events).toContainEqual({
    type: "warning",
    message: expect.stringContaining("the model loses everything before that point"),
  });
  expect(world.model.violations).toEqual([]);
});

test("a conversation with encrypted reasoning that the server refuses can be shortened all the same", async () => {
  const code = "invalid_encrypted_content";
  await using world = await openPrintingWorld({
    checks: { prefix: false },
    respond: playWith(
      [said("One."), print(30_000), print(30_000), say("Two."), say("Three.")],
      [{ status: 400, body: { error: { code, message: "No." } } }, say(notes)],
    ),
  });
  await using thread = await world.openThread();
  await runToEnd(thread, "a");
  await runToEnd(thread, "Count.");
  expect((await compact(thread)).outcome.type).toBe("completed");
  expect(world.model.requests.map(({ raw }) => raw.includes('encrypted_content":'))).toEqual([
    false,
    true,
    true,
    true,
    true, // for the summary, and once more
    false,
  ]);
  expect((await runToEnd(thread, "On.")).outcome).toMatchObject({ finalMessage: "Three." });
});

test("what a server refused while a conversation was summed up comes back neither with its last steps nor by undoing", async () => {
  await using world = await openPrintingWorld({
    checks: { prefix: false },
    respond: playWith(
      [say("One."), print(30_000), print(30_000), said("Two."), say("Three.")],
      [{ stale: true }, say(notes)],
    ),
  });
  await using thread = await world.openThread();
  await runToEnd(thread, "a");
  await runToEnd(thread, "Count.");
  expect((await compact(thread)).outcome.type).toBe("completed");
  await expect(thread.undoCompaction()).rejects.toMatchObject({ code: "nothing_to_undo" });
  expect((await runToEnd(thread, "On.")).outcome).toMatchObject({ finalMessage: "Three." });
  expect(world.model.violations).toEqual([]);
});
