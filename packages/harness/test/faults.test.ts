import type { ThreadEvent } from "@unroll/protocol";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const marker = { call: "exec_command", arguments: { cmd: "echo ran >> ran.txt; cat ran.txt", login: false } };
const typesOf = (events: readonly ThreadEvent[]): readonly string[] => events.map((event) => event.type);

test("a stream that is cut behind a finished call is sent again, and the call runs once", async () => {
  const turns = [
    { items: [marker, { text: "never whole" }], cut: { afterEvents: 9, how: "reset" as const } },
    { items: [marker] },
    { items: [{ text: "Done." }], expect: { lastInputContains: "Output:\nran\n" } },
  ];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread();
  const { events, outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  expect(typesOf(events).filter((type) => type === "stream.retrying")).toHaveLength(1);
  expect(events.find((event) => event.type === "stream.retrying")).toMatchObject({ attempt: 1, max_attempts: 5 });
  const [first, second] = world.model.requests.map((request) => request.raw.toString("utf8"));
  expect(second).toBe(first);
});

test("a failed response whose server keeps the socket open ends the turn at once", async () => {
  const end = { failed: { code: "invalid_prompt", message: "No." } };
  await using world = await openThreadWorld({ script: { turns: [{ items: [], end, keepOpen: true }] } });
  await using thread = await world.openThread();
  const { outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ type: "failed", error: { code: "invalid_prompt" } });
});

test("an interruption in a command stops it and its children, and the thread continues", async () => {
  const sleeper = {
    call: "exec_command",
    arguments: { cmd: "echo started; sleep 300 & sleep 300", login: false },
  };
  const turns = [{ items: [sleeper] }, { items: [{ text: "Still here." }] }];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread();
  const controller = new AbortController();
  const events: ThreadEvent[] = [];
  for await (const event of thread.run("Go", { signal: controller.signal })) {
    events.push(event);
    if (event.type === "item.delta") controller.abort();
  }
  expect(events.at(-1)).toMatchObject({ type: "turn.failed", error: { code: "interrupted" } });
  expect(events.find((event) => event.type === "item.completed")).toMatchObject({ item: { status: "failed" } });
  expect((await runToEnd(thread, "Go on")).outcome).toMatchObject({ type: "completed", finalMessage: "Still here." });
});

test("a consumer that leaves during a command leaves a thread that can continue", async () => {
  const sleeper = { call: "exec_command", arguments: { cmd: "echo started; sleep 300", login: false } };
  const turns = [{ items: [sleeper, { ...marker, call_id: "second" }] }, { items: [{ text: "Still here." }] }];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread();
  for await (const event of thread.run("Go", { signal: new AbortController().signal })) {
    if (event.type === "item.delta") break;
  }
  expect((await runToEnd(thread, "Go on")).outcome).toMatchObject({ type: "completed", finalMessage: "Still here." });
});

test("an unknown tool, arguments that do not parse and a patch that does not fit do not end a turn", async () => {
  const turns = [
    {
      items: [
        { call: "no_such_tool", arguments: {} },
        { call: "exec_command", arguments: "{not json" },
        { custom: "apply_patch", input: "*** Begin Patch\n*** Delete File: none.txt\n*** End Patch" },
      ],
    },
    {
      items: [{ text: "Done." }],
      expect: { inputContains: ["unsupported call: no_such_tool", "not valid JSON", "none.txt"] },
    },
  ];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread();
  expect((await runToEnd(thread, "Go")).outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
});

test("what is sent during a turn goes into its next request", async () => {
  const turns = [{ items: [marker] }, { items: [{ text: "Done." }], expect: { lastInputContains: "and this" } }];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread();
  for await (const event of thread.run("Go", { signal: new AbortController().signal })) {
    if (event.type === "item.started") await thread.send("and this");
  }
  expect(world.model.requests).toHaveLength(2);
});

test("unsend removes messages that no request has had, and keeps those that the program wrote", async () => {
  const turns = [{ items: [{ text: "Done." }] }, { items: [{ text: "Done." }] }];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread();
  await thread.send("first");
  await thread.send([{ type: "text", text: "added", isAdded: true }]);
  await thread.send("second");
  expect([await thread.unsend(), await thread.unsend()]).toEqual([2, 0]);
  await thread.send("third");
  await runToEnd(thread, "Go");
  expect(await thread.unsend()).toBe(0);
  const [sent = ""] = world.model.requests.map((request) => request.raw.toString("utf8"));
  expect(["first", "added", "second", "third"].filter((text) => sent.includes(`"${text}"`))).toEqual([
    "added",
    "third",
  ]);
});

test("a second turn is refused while one runs", async () => {
  await using world = await openThreadWorld({ script: { turns: [{ items: [{ text: "Hi." }] }] } });
  await using thread = await world.openThread();
  const turn = thread.run("One", { signal: new AbortController().signal });
  await turn.next();
  await expect(runToEnd(thread, "Two")).rejects.toThrow("A turn is running in this thread");
  await turn.return({
    type: "interrupted",
    usage: {
      input_tokens: 0,
      cached_input_tokens: 0,
      cache_write_input_tokens: 0,
      output_tokens: 0,
      reasoning_output_tokens: 0,
    },
  });
});
