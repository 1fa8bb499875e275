import { readFileSync } from "node:fs";
import { type SentItem, toRequestHead } from "@unroll/protocol";
import { expect, test } from "vitest";
import { encode, openStoreWorld, toSent, writeThread } from "./store-world.ts";

test("an item that was sent in another form comes back as it is and as it was sent, and other programs read it as it is", async () => {
  await using world = await openStoreWorld();
  const message = (text: string): SentItem =>
    toSent(`{"type":"message","role":"user","content":[{"type":"input_text","text":"${text}"}]}`);
  const lowered = (text: string, bytes: string, joins = false): SentItem => ({
    item: message(text).item,
    bytes: encode(bytes),
    lowered: { joins, ours: joins ? 0 : 1 },
  });
  const folded = lowered("rules", "");
  const joined = lowered("more", ',{"type":"input_text","text":"more"}]}', true);
  const answered = { ...lowered("next", '{"role":"assistant"},{"role":"user"}'), maker: { provider: "p", model: "m" } };
  const odd = '{"type":"of_tomorrow",\n "a":1}';
  const unknown: SentItem = {
    item: { type: "unknown", itemType: "of_tomorrow", json: odd },
    bytes: encode(""),
    lowered: { joins: false, ours: 0 },
  };
  const form = {
    anyItems: false,
    customTools: false,
    developerMessages: false,
    images: true,
    reasoningItems: true,
    repeatedRoles: false,
    webSearch: false,
  };
  const { id, path } = await writeThread(world, (threadId) => [
    { type: "thread.opened", threadId, model: "m", provider: "test", head: toRequestHead({}), form },
    { type: "turn.started", turnId: "one" },
    ...[folded, message("first"), joined, answered, unknown].map((item) => ({ type: "item" as const, item })),
    { type: "epoch", cause: "full", isFinal: false, items: [folded, unknown, message("first"), joined] },
    { type: "item", item: answered },
    { type: "epoch.undone", added: [answered, unknown] },
  ]);
  const { entries } = await world.store.load(id);
  const read = entries.flatMap((entry): readonly unknown[] => {
    if (entry.type === "item") return [entry.item];
    if (entry.type === "epoch") return [entry.items];
    return entry.type === "epoch.undone" ? [entry.added] : [];
  });
  expect(read).toEqual([
    folded,
    message("first"),
    joined,
    answered,
    unknown,
    [folded, unknown, message("first"), joined],
    answered,
    [answered, unknown],
  ]);
  expect(entries[0]).toMatchObject({ type: "thread.opened", form });
  const texts = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.includes('"response_item"'))
    .map((line) => JSON.stringify((JSON.parse(line) as { readonly payload: unknown }).payload));
  expect(texts.slice(0, 3)).toEqual([folded, message("first"), joined].map(({ item }) => JSON.stringify(item)));
});

test("a form that spoils the request is repaired: a message is sent as it is, a call is left out with its output", async () => {
  await using world = await openStoreWorld();
  const message = toSent('{"type":"message","role":"user","content":[{"type":"input_text","text":"more"}]}');
  const call = toSent('{"type":"custom_tool_call","call_id":"a","name":"apply_patch","input":"x"}');
  const output = toSent('{"type":"custom_tool_call_output","call_id":"a","output":"Done."}');
  const lower = ({ item }: SentItem, text: string, joins = false): SentItem => ({
    item,
    bytes: encode(text),
    lowered: { joins, ours: 0 },
  });
  const functionOutput = '{"type":"function_call_output","call_id":"a","output":"Done."}';
  const nameless = toSent('{"type":"function_call","cOll_id":"b","name":"f","arguments":"{}"}');
  const { id } = await writeThread(world, (threadId) => [
    { type: "thread.opened", threadId, model: "m", provider: "test", head: toRequestHead({}) },
    { type: "turn.started", turnId: "one" },
    { type: "item", item: lower(message, ',{"type":"input_text","text":"more"}]}', true) },
    { type: "item", item: lower(message, ',{"type"8"input_text","text":"more"}]}', true) },
    { type: "item", item: lower(call, '{"type":"function_call","call_id":"b","name":"apply_patch","arguments":"{}"}') },
    { type: "item", item: lower(output, functionOutput) },
    { type: "item", item: nameless },
  ]);
  const { entries, repairs } = await world.store.load(id);
  expect(entries.flatMap((entry) => (entry.type === "item" ? [entry.item] : []))).toEqual([message, message]);
  const asItIs = "A message of the user was damaged in the form that was sent: it is sent as it is.";
  expect(repairs).toEqual([
    asItIs,
    asItIs,
    "A call (a) was damaged and left out.",
    "An output without its call was left out (call a).",
    "An item (function_call) was damaged and left out.",
  ]);
});
