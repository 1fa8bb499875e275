// The seams around a thread's own parts: replaced results, code before and after each command, tools that know their
// thread.
import type { ModelClient, StepGuard } from "@unroll/core";
import type { Thread, ThreadRunner } from "@unroll/harness";
import { type AfterCall, defineTool, type Tool } from "@unroll/tools";
import { expect, test } from "vitest";
import * as z from "zod";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const run = (command: string): object => ({ call: "exec_command", arguments: { cmd: command, login: false } });

/** Notes what is started and how it ended: as a snapshot before each command would. */
function noteCommands(log: string[]): (own: ThreadRunner) => ThreadRunner {
  return (own) => ({
    async *run(spec, signal) {
      log.push(`before ${spec.argv.at(-1)}`);
      const outcome = yield* own.run(spec, signal);
      log.push(`after ${spec.argv.at(-1)}: ${outcome.type}`);
      return outcome;
    },
    async startBackgroundCommand(spec, signal) {
      log.push(`before ${spec.argv.at(-1)}`);
      return own.startBackgroundCommand(spec, signal);
    },
  });
}

test("a program can act before and after each of the model's commands", async () => {
  const turns = [
    { items: [run("echo one > one.txt")] },
    { items: [run("cat one.txt")] },
    { items: [{ text: "Done." }] },
  ];
  await using world = await openThreadWorld({ script: { turns: turns as never } });
  const log: string[] = [];
  await using thread = await world.openThread({ runner: noteCommands(log) });
  await runToEnd(thread, "Go");
  expect(log).toEqual([
    "before echo one > one.txt",
    "after echo one > one.txt: exited",
    "before cat one.txt",
    "after cat one.txt: exited",
  ]);
  expect(world.model.requests.at(-1)?.input.at(-1)).toMatchObject({ output: expect.stringContaining("one") });
});

const hideNames: AfterCall = ({ output }) =>
  typeof output === "string" && output.includes("Ann")
    ? { output: output.replaceAll("Ann", "[a name]"), reason: "Names stay here." }
    : null;

test("a program replaces results before the model reads them", async () => {
  const turns = [{ items: [run("echo Ann")] }, { items: [{ text: "Done." }] }];
  await using world = await openThreadWorld({ script: { turns: turns as never } });
  await using thread = await world.openThread({ afterCall: hideNames });
  const { events } = await runToEnd(thread, "Go");
  const read = JSON.stringify(world.model.requests.at(-1)?.input.at(-1));
  expect(read).toContain("[a name]");
  expect(read).not.toContain("Ann");
  expect(events).toContainEqual({
    type: "warning",
    message: "The result of exec_command was replaced: Names stay here.",
  });
});

/** A tool that opens a child of the thread that has it. */
function delegate(open: (parent: Thread) => Promise<Thread>): (thread: () => Thread) => readonly Tool[] {
  return (thread) => [
    defineTool({
      name: "delegate",
      description: "Gives a task to another agent and returns its answer.",
      input: z.strictObject({ task: z.string() }),
      async run({ task }, { signal }) {
        await using child = await open(thread());
        return (await child.run(task, { signal })).finalMessage ?? "";
      },
    }),
  ];
}

test("tools that know their thread open child threads, whose commands and results pass the parent's seams", async () => {
  const turns = [
    { items: [{ call: "delegate", arguments: { task: "Who is it?" } }] },
    { items: [run("echo Ann")] },
    { items: [{ text: "Nobody." }] },
    { items: [{ text: "Done." }] },
  ];
  await using world = await openThreadWorld({ script: { turns: turns as never } });
  await using harness = await world.openHarness();
  const log: string[] = [];
  await using thread = await harness.openThread({
    tools: delegate((parent) => harness.openThread({ parent, runner: noteCommands(log) })),
    runner: noteCommands(log),
    afterCall: hideNames,
  });
  expect((await runToEnd(thread, "Go")).outcome).toMatchObject({ finalMessage: "Done." });
  const [before, after] = ["before echo Ann", "after echo Ann: exited"];
  expect(log).toEqual([before, before, after, after]);
  const ofChild = world.model.requests[2]?.input.at(-1);
  expect(ofChild).toMatchObject({ type: "function_call_output", output: expect.stringContaining("[a name]") });
});

test("tools cannot ask for their thread before it is open, and what they make is checked", async () => {
  await using world = await openThreadWorld({ script: { turns: [] } });
  const early = world.openThread({ tools: (thread) => [thread() as never] });
  await expect(early).rejects.toMatchObject({
    code: "invalid_options",
    message: "tools: the thread is not open yet. Ask for it when a tool runs.",
  });
  await expect(world.openThread({ tools: () => [{ name: "x" } as never] })).rejects.toMatchObject({
    message: "tools: tools[0] is not a tool: make it with defineTool({ … }).",
  });
  await expect(world.openThread({ runner: 7 as never })).rejects.toMatchObject({
    message: "openThread: runner has to be a function: (own) => own.",
  });
});

test("a program continues a turn that would end", async () => {
  const testsFirst: StepGuard = {
    // oxlint-disable-next-line require-yield -- it has nothing to tell
    async *before() {
      return { type: "go" };
    },
    // oxlint-disable-next-line require-yield -- it has nothing to tell
    async *end({ continued }) {
      if (continued > 0) return { type: "end" };
      const content = [{ type: "input_text", text: "Run the tests before you finish." }] as const;
      return { type: "continue", say: [{ type: "message", role: "developer", content }] };
    },
  };
  const turns = [{ items: [{ text: "Done." }] }, { items: [run("true")] }, { items: [{ text: "All pass." }] }];
  await using world = await openThreadWorld({ script: { turns: turns as never } });
  await using thread = await world.openThread({ guards: [testsFirst] });
  expect((await runToEnd(thread, "Go")).outcome).toMatchObject({ type: "completed", finalMessage: "All pass." });
  expect(world.model.violations).toEqual([]);
});

/** Answers from what the request says as data, as a client of another API would. */
const echo: ModelClient = {
  async *stream({ data: { head, items, tail } }) {
    const last = items.at(-1);
    const [part] = last?.type === "message" ? last.content : [];
    const said = part?.type === "input_text" ? part.text : "";
    const text = JSON.stringify({ model: head.model, said, tools: head.tools.length, tail: Object.keys(tail) });
    const item = { type: "message", role: "assistant", content: [{ type: "output_text", text }] } as const;
    yield { type: "response.output_item.done", output_index: 0, item };
    return { type: "completed", responseId: "r", usage: null };
  },
};

test("a model client of another API has the request as data", async () => {
  await using world = await openThreadWorld({ script: { turns: [] } });
  await using thread = await world.openThread({ model: echo, builtins: ["exec_command"] });
  const { outcome } = await runToEnd(thread, "Hello");
  const answer: unknown = outcome.type === "completed" ? JSON.parse(outcome.finalMessage ?? "") : null;
  expect(answer).toEqual({ model: "gpt-5-codex", said: "Hello", tools: expect.any(Number), tail: ["reasoning"] });
});
