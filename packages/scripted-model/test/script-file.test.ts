import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadScript, startScriptedModel } from "../src/index.ts";
import { body, post, postForResponse, readEvents, user } from "./post.ts";

const examples = join(import.meta.dirname, "../../../conformance/scripts");

/** Writes a script to a file of its own and loads it. */
async function load(text: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-script-"));
  await writeFile(join(folder.path, "reply.sse"), Uint8Array.from([0x64, 0xff]));
  execFileSync("mkfifo", [join(folder.path, "pipe.sse")]);
  const file = join(folder.path, "script.json");
  await writeFile(file, text);
  return await loadScript(file).catch((error: Error & { code: string }) => ({
    code: error.code,
    lines: error.message.replaceAll(folder.path, "").split("\n"),
  }));
}

test.for(globSync("*.json", { cwd: examples }))("the example %s loads and answers", async (name) => {
  const script = await loadScript(join(examples, name));
  await using model = await startScriptedModel({ script });
  const { status } = await post(model, body([user("Hi")]));
  expect(status).toBe(script.turns[0]?.status ?? 200);
});

test("an answer that follows a tool's output waits for that output", async () => {
  const script = await loadScript(join(examples, "one-command.json"));
  await using model = await startScriptedModel({ script, allowViolations: true });
  const { output } = await postForResponse(model, body([user("Hi")]));
  const [reasoning, call] = output as [object, { call_id: string }];
  const result = { type: "function_call_output", call_id: call.call_id, output: "nothing" };
  expect((await post(model, body([user("Hi"), { ...reasoning }, { ...call }, result]))).status).toBe(400);
  expect(model.violations).toMatchObject([{ rule: "expectation", request: 2 }]);
});

test("a recording is played byte for byte", async () => {
  const script = await loadScript(join(examples, "recording.json"));
  await using model = await startScriptedModel({ script });
  const { text } = await post(model, body([user("Hi")]));
  expect(readEvents(text).at(-1)).toMatchObject({
    type: "response.completed",
    response: { model: "recorded-model", output: [{ content: [{ text: "Hello from a recording." }] }] },
  });
});

test("recordings are found beside the script, and bytes may be written in base64", async () => {
  const script = await load(
    '{"turns":[{"sse":"reply.sse"},{"base64":"/w=="}],"compactions":[{"sse":"reply.sse","repeat":2}]}',
  );
  expect(script).toEqual({
    turns: [{ raw: Buffer.from([0x64, 0xff]) }, { raw: Buffer.from([0xff]) }],
    compactions: [{ raw: Buffer.from([0x64, 0xff]), repeat: 2 }],
  });
});

test("a script says where it is wrong, and what was expected there", async () => {
  const wrong = {
    turns: [
      { items: [{ text: 3 }, { cal: "x" }, { call: "x" }, 4], chunkBytes: 0 },
      { status: 700, foo: 1 },
      { x: 1 },
      { items: [], cut: { afterEvents: 1 }, end: "finished" },
      { base64: "***", delayMs: -1 },
      { events: [3], expect: { tool: [] } },
    ],
    atEnd: "stop",
  };
  expect(await load(JSON.stringify(wrong))).toEqual({
    code: "script_invalid",
    lines: [
      "/script.json is not a valid script:",
      "  turns[0].items[0].text: Invalid input: expected string, received number",
      "  turns[0].items[1]: expected an object with one of the keys type, text, reasoning, call, custom, search, event",
      "  turns[0].items[2].arguments: Invalid input: expected nonoptional, received undefined",
      "  turns[0].items[3]: expected an object with one of the keys type, text, reasoning, call, custom, search, event",
      "  turns[0].chunkBytes: Too small: expected number to be >=1",
      "  turns[1].status: Too big: expected number to be <=599",
      '  turns[1]: Unrecognized key: "foo"',
      "  turns[2]: expected an object with one of the keys items, events, raw, base64, sse, stale, status",
      '  turns[3].cut.how: Invalid option: expected one of "close"|"reset"|"end"|"hang"',
      '  turns[3].end: expected "completed", "none", {"failed": {"code", "message"}} or {"incomplete": reason}',
      "  turns[4].delayMs: Too small: expected number to be >=0",
      "  turns[4].base64: Invalid base64-encoded string",
      '  turns[5].expect: Unrecognized key: "tool"',
      "  turns[5].events[0]: expected an event object, or text to send as it stands",
      '  atEnd: Invalid option: expected one of "fail"|"repeat-last"',
    ],
  });
});

test.for([
  ["[]", "script_invalid", /is not a valid script:\n {2}the document: Invalid input: expected object/],
  [
    '{"turns": []\n "atEnd": 1}',
    "script_invalid",
    /script\.json is not valid JSON: line 2, column 2: Expected ',' .*\. Correct it there\.$/,
  ],
  [
    '{"turns": [{"sse": "gone.sse"}]}',
    "script_unreadable",
    /^The recording \/gone\.sse cannot be read: it does not exist\.$/,
  ],
  [
    '{"turns": [{"sse": "pipe.sse"}]}',
    "script_unreadable",
    /^The recording \/pipe\.sse cannot be read: it is a pipe, not a regular file\.$/,
  ],
] as const)("a script that is not one is an error: %s", async ([text, code, message]) => {
  const result = (await load(text)) as { code: string; lines: readonly string[] };
  expect(result.code).toBe(code);
  expect(result.lines.join("\n")).toMatch(message);
});
