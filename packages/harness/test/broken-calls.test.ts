import type { ThreadEvent, ThreadItem } from "@unroll/protocol";
import type { ScriptedModel } from "@unroll/scripted-model";
import { type CallableTool, defineTool } from "@unroll/tools";
import { expect, test } from "vitest";
import * as z from "zod";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const done = { items: [{ text: "Done." }] };
const echo = defineTool({
  name: "echo",
  description: "Says it again.",
  input: z.object({ text: z.string().default("nothing") }),
  run: async ({ text }) => text,
});

/** The calls as they ended. */
function listEnded(events: readonly ThreadEvent[]): readonly ThreadItem[] {
  return events.flatMap((event) => (event.type === "item.completed" && "status" in event.item ? [event.item] : []));
}

/** The items of the last request after the user's message. */
function readAnswered({ requests }: ScriptedModel): readonly object[] {
  const input = requests.at(-1)?.input ?? [];
  return input.slice(input.findIndex((item) => JSON.stringify(item).includes('"Go"')) + 1);
}

test.for([
  [
    "that names no tool",
    { type: "function_call", call_id: "c", arguments: "{}" },
    { call_id: "c", name: "unnamed", arguments: "{}" },
    "The call was not run. It names no tool.",
  ],
  [
    "of a kind that there is not here",
    { type: "local_shell_call", id: "lsh_1", call_id: "c", action: { command: ["touch", "ran"] } },
    {
      type: "function_call",
      call_id: "c",
      name: "local_shell_call",
      arguments: '{"action":{"command":["touch","ran"]}}',
    },
    "The call was not run. There are no calls of the type local_shell_call here: call one of the tools that you were given.",
  ],
  [
    "of a kind that there is not here, without an id",
    { type: "of tomorrow_call", n: 1 },
    { type: "function_call", call_id: "call_without_id", name: "of_tomorrow_call", arguments: '{"n":1}' },
    "The call was not run. There are no calls of the type of tomorrow_call here: call one of the tools that you were given.",
  ],
] as const)(
  "a call %s is seen to fail, is not run, and is sent back with an output",
  async ([, item, sent, reason]) => {
    await using world = await openThreadWorld({ script: { turns: [{ items: [item] }, done] } });
    await using thread = await world.openThread();
    const { events, outcome } = await runToEnd(thread, "Go");
    expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
    expect(listEnded(events)).toMatchObject([
      { type: "tool_call", tool: sent.name, status: "failed", output: reason, reason },
    ]);
    const [call, output, ...more] = readAnswered(world.model);
    expect([call, output]).toMatchObject([sent, { call_id: sent.call_id, output: reason }]);
    expect(more).toEqual([]);
    expect(world.model.violations).toEqual([]);
  },
);

test.for([
  ["whose arguments are JSON and no text", { call_id: "c", arguments: { text: "a" } }, { call_id: "c" }],
  ["without an id", { call_id: null, arguments: '{"text":"a"}' }, { call_id: "call_without_id" }],
  ["with an empty id", { call_id: "", arguments: '{"text":"a"}' }, { call_id: "call_without_id" }],
  ["with the empty text for arguments", { call_id: "c", arguments: "" }, { call_id: "c", arguments: "{}" }],
  ["without arguments", { call_id: "c" }, { call_id: "c", arguments: "{}" }],
] as const)("a call %s runs, and is sent back in order", async ([, given, sent]) => {
  const item = { type: "function_call", name: "echo", ...given };
  await using world = await openThreadWorld({ script: { turns: [{ items: [item] }, done] } });
  await using thread = await world.openThread({ tools: [echo] });
  const { events } = await runToEnd(thread, "Go");
  const output = "arguments" in sent ? "nothing" : "a";
  expect(listEnded(events)).toMatchObject([{ tool: "echo", status: "completed", output }]);
  expect(readAnswered(world.model)).toMatchObject([
    { type: "function_call", name: "echo", arguments: '{"text":"a"}', ...sent },
    { type: "function_call_output", call_id: sent.call_id, output },
  ]);
  expect(world.model.violations).toEqual([]);
});

test("two calls without an id get one each, and what the provider runs by itself is let be", async () => {
  const item = { type: "function_call", call_id: null, name: "echo", arguments: "{}" };
  const search = { type: "file_search_call", id: "fs_1", status: "completed", queries: ["x"], results: null };
  await using world = await openThreadWorld({ script: { turns: [{ items: [search, item, item] }, done] } });
  await using thread = await world.openThread({ tools: [echo] });
  await runToEnd(thread, "Go");
  const [own, ...calls] = readAnswered(world.model);
  expect(own).toEqual(search);
  const [first, second] = ["call_without_id", "call_without_id_2"];
  expect(calls).toMatchObject([first, second, first, second].map((call_id) => ({ call_id })));
});

test("a tool that returns a wrong shape fails its call, next to another one, too, and the turn continues", async () => {
  const broken: CallableTool = {
    type: "callable",
    name: "broken",
    spec: { type: "function", name: "broken", description: "", strict: false, parameters: { type: "object" } },
    prepare: () => undefined as never,
  };
  const call = { call: "broken", arguments: {} };
  await using world = await openThreadWorld({ script: { turns: [{ items: [call, call] }, done] } });
  await using thread = await world.openThread({ tools: [broken] });
  const { events, outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  const reason = "The tool broken failed: its prepare: an object with type is expected.";
  expect(listEnded(events)).toMatchObject([
    { tool: "broken", status: "failed", reason },
    { tool: "broken", status: "failed", reason },
  ]);
});

test("an answer that its server ends too early is marked for the model, and what it asked for and was done in it is seen", async () => {
  const items = [
    { search: "weather" },
    { call: "exec_command", arguments: { cmd: "touch ran" } },
    { text: "The beginning" },
  ];
  const turns = [{ items, end: { incomplete: "max_output_tokens" } }, done];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread();
  const { events, outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ type: "failed", error: { code: "incomplete" } });
  expect(listEnded(events)).toMatchObject([
    { type: "web_search", query: "weather", status: "completed" },
    {
      type: "tool_call",
      tool: "exec_command",
      status: "failed",
      reason: "It was not run. The answer that asks for it was cut off.",
    },
  ]);
  await runToEnd(thread, "And now?");
  const [kept, mark, next, ...more] = readAnswered(world.model);
  expect([kept, next]).toMatchObject([
    { role: "assistant", content: [{ text: "The beginning" }] },
    { role: "user", content: [{ text: "And now?" }] },
  ]);
  expect(mark).toMatchObject({
    role: "user",
    content: [{ text: expect.stringMatching(/^<answer_cut>\n[^]*<\/answer_cut>$/) }],
  });
  expect(more).toEqual([]);
  expect(world.model.violations).toEqual([]);
});
