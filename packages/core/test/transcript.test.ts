import { wholeForm } from "@unroll/item-form";
import { createThreadState, type Transcript, TranscriptError } from "@unroll/core";
import type { JournalEntry } from "@unroll/protocol";
import { expect, test } from "vitest";
import { call, said, user } from "./fake-ports.ts";

const decoder = new TextDecoder();

function createTranscript(ids: "kept" | "dropped" = "dropped"): Transcript {
  return createThreadState({ form: { ...wholeForm, ids } }).transcript;
}

const output = { type: "function_call_output", call_id: "a", output: "done" } as const;

test("an item is sent without its id and with every field that we do not know", () => {
  const transcript = createTranscript();
  transcript.append({ ...said("Hi"), phase: "final", status: "completed" } as ReturnType<typeof said>);
  expect(decoder.decode(transcript.encoded)).toBe(
    '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi"}],"phase":"final","status":"completed"}',
  );
});

test("an item keeps its id for a server that stores items", () => {
  const transcript = createTranscript("kept");
  transcript.append(call("a"));
  expect(decoder.decode(transcript.encoded)).toContain('"id":"fc_a"');
});

test("an unknown item is sent as the bytes that came", () => {
  const transcript = createTranscript();
  const json = '{ "type":"of_tomorrow", "n": 1.0, "t":"\\u00e9" }';
  transcript.append({ type: "unknown", itemType: "of_tomorrow", json });
  expect(decoder.decode(transcript.encoded)).toBe(json);
});

test("what was encoded stays as it is while the transcript grows past its memory", () => {
  const transcript = createTranscript();
  transcript.append(user("x".repeat(10_000)));
  const before = transcript.encoded;
  const text = decoder.decode(before);
  transcript.append(user("y".repeat(100_000)), user("z"));
  expect(decoder.decode(before)).toBe(text);
  const [x, y, z] = JSON.parse(`[${decoder.decode(transcript.encoded)}]`) as unknown[];
  expect([x, y, z]).toEqual([user("x".repeat(10_000)), user("y".repeat(100_000)), user("z")]);
});

test("an output without an open call is refused and nothing is added", () => {
  const transcript = createTranscript();
  expect(() => transcript.append(user("Hi"), output)).toThrow(new TranscriptError("orphan_output", "a"));
  expect(transcript.items).toEqual([]);
});

test("a second output for one call is refused", () => {
  const transcript = createTranscript();
  transcript.append(call("a"), output);
  expect(() => transcript.append(output)).toThrow(new TranscriptError("orphan_output", "a"));
  expect(() => createTranscript().append(call("a"), output, output)).toThrow(TranscriptError);
});

test("a call id is taken once in a thread", () => {
  const transcript = createTranscript();
  transcript.append(call("a"), output);
  expect(() => transcript.append(call("a"))).toThrow(new TranscriptError("duplicate_call", "a"));
});

test("a new epoch reports how many items it shares with the last one, and call ids stay reserved", () => {
  const transcript = createTranscript();
  transcript.append(user("rules"), user("Go"), call("a"), output);
  expect(transcript.openEpoch([user("rules"), user("summary")], "the window was full")).toBe(1);
  expect(transcript.items).toEqual([user("rules"), user("summary")]);
  expect(JSON.parse(`[${decoder.decode(transcript.encoded)}]`)).toEqual([user("rules"), user("summary")]);
  expect(transcript.hasCall("a")).toBe(true);
  expect(() => transcript.append(call("a"))).toThrow(new TranscriptError("duplicate_call", "a"));
  transcript.append(call("b"), { ...output, call_id: "b" });
});

test("an epoch may keep calls with their outputs, and none without", () => {
  const transcript = createTranscript();
  transcript.append(user("Go"), call("a"), output);
  expect(transcript.openEpoch([call("a"), output], "shorter")).toBe(0);
  expect(() => transcript.openEpoch([call("a")], "shorter")).toThrow(new TranscriptError("open_call", "a"));
  transcript.append(call("b"));
  expect(() => transcript.openEpoch([user("x")], "shorter")).toThrow(new TranscriptError("open_call", "b"));
  expect(transcript.openCalls.map((open) => open.call_id)).toEqual(["b"]);
});

test("an epoch is undone: what was sent before is sent again byte for byte, with what came since behind it", () => {
  const entries: JournalEntry[] = [];
  const transcript = createThreadState({
    journal: { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() },
  }).transcript;
  transcript.append(user("One"), call("a"), output, user("Two"));
  const before = decoder.decode(transcript.encoded);
  expect(transcript.openEpoch([...transcript.items.slice(0, 1), user("short")], "full")).toBe(1);
  transcript.append(call("b"), { ...output, call_id: "b" });
  const after = `${before},${JSON.stringify(call("b"))},${JSON.stringify({ ...output, call_id: "b" })}`.replaceAll(
    /,"id":"[^"]*"/g,
    "",
  );
  expect(transcript.undoEpoch()).toBe(1);
  expect(decoder.decode(transcript.encoded)).toBe(after);
  expect(decoder.decode(createThreadState({ entries }).transcript.encoded)).toBe(after);
  expect(transcript.undoEpoch()).toBe(null);
});

test("epochs are undone one by one: those that are not at hand are read from the journal, unless it is another's", () => {
  const entries: JournalEntry[] = [];
  const { transcript } = createThreadState({
    journal: { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() },
  });
  transcript.append(user("One"));
  for (const summary of ["first", "second", "third"]) {
    transcript.openEpoch([user(summary)], "full");
    transcript.append(user(`behind the ${summary}`));
  }
  const lost = createThreadState({ entries }).transcript;
  const behind = ["first", "second", "third"].map((summary) => user(`behind the ${summary}`));
  for (const each of [transcript, lost]) {
    expect(each.undoEpoch()).toBe(0);
    expect(each.undoEpoch()).toBe(null);
    expect(each.undoEpoch([{ type: "item", item: { item: user("other"), bytes: new Uint8Array(2) } }])).toBe(null);
  }
  expect(transcript.undoEpoch(entries)).toBe(0);
  expect(transcript.items).toEqual([user("first"), ...behind]);
  expect(createThreadState({ entries }).transcript.items).toEqual(transcript.items);
  expect(transcript.undoEpoch(entries)).toBe(0);
  expect(transcript.items).toEqual([user("One"), ...behind]);
  expect(transcript.undoEpoch(entries)).toBe(null);
  expect(createThreadState({ entries }).transcript.encoded).toEqual(transcript.encoded);
});
