import type { RequestCompletedEvent } from "@unroll/protocol";
import type { ScriptedModelOptions } from "@unroll/scripted-model";
import { defineTool } from "@unroll/tools";
import { expect, test } from "vitest";
import * as z from "zod";
import {
  asksForNotes,
  compact,
  notes,
  openPrintingWorld,
  openStore,
  playWith,
  print,
  say,
} from "./compaction-world.ts";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const state = "x-codex-turn-state";
const step = { items: [{ call: "exec_command", arguments: { cmd: "echo hi", login: false } }] };
const twoTurns = { turns: [step, step, say("One."), step, say("Two.")] };

/** Whether each request of two turns had in the cache what it shares with the one before. */
async function runTwice(options: ScriptedModelOptions, config: readonly string[]): Promise<readonly boolean[]> {
  await using world = await openThreadWorld(options);
  await using thread = await world.openThread({ config });
  const events = [...(await runToEnd(thread, "First")).events, ...(await runToEnd(thread, "Second")).events];
  const requests = events.filter((event): event is RequestCompletedEvent => event.type === "request.completed");
  expect(requests).toHaveLength(5);
  return requests.slice(1).map(({ cache }) => cache.cached_tokens !== 0 && cache.cached_tokens === cache.shared_tokens);
}

const [kept, lost] = [Array<boolean>(4).fill(true), Array<boolean>(4).fill(false)];

test.for([
  ["hyphen", "hyphen", kept],
  ["hyphen", "both", kept],
  ["hyphen", "none", lost],
  ["underscore", "hyphen", lost],
  ["underscore", "both", kept],
] as const)(
  "a provider that finds the cache by the %s spelling has it, or loses it, with thread_headers = %s",
  async ([affinity, style, expected]) => {
    const config = [`model_providers.test.thread_headers=${style}`];
    expect(await runTwice({ script: { ...twoTurns, affinity } }, config)).toEqual(expected);
  },
);

test("without the setting the cache of such a provider holds", async () => {
  expect(await runTwice({ script: { ...twoTurns, affinity: "hyphen" } }, [])).toEqual(kept);
});

/** The thread and the turn's token of each request. */
function listRoutes({ model }: ThreadWorld): readonly (readonly unknown[])[] {
  return model.requests.map(({ headers }) => [headers["thread-id"], headers[state] ?? null]);
}

test("requests for a summary and of a resumed thread have the thread's id; the turn's token stays in its turn", async () => {
  const respond = playWith([print(60_000), say("One."), { ...say("Two."), newEpoch: true }], [say(notes)]);
  await using world = await openPrintingWorld({ respond, affinity: "hyphen" });
  const first = await world.openThread({ store: openStore(world) });
  await runToEnd(first, "Count to one.");
  expect((await compact(first)).outcome.type).toBe("completed");
  await first[Symbol.asyncDispose]();
  await using thread = await world.openThread({ store: openStore(world), resume: first.id });
  await runToEnd(thread, "Count to two.");
  expect(world.model.requests.findIndex(asksForNotes)).toBe(2);
  expect(listRoutes(world)).toEqual([
    [first.id, null],
    [first.id, "turn_1"],
    [first.id, null],
    [first.id, null],
  ]);
});

test("a fork and a sub-agent send the id of the thread that they are", async () => {
  const turns = [
    say("One."),
    say("Forked."),
    { items: [{ call: "delegate", arguments: {} }] },
    say("Two."),
    say("Told."),
  ];
  await using world = await openThreadWorld({ script: { turns, affinity: "hyphen" } });
  await using harness = await world.openHarness({ store: openStore(world) });
  const first = await harness.openThread();
  await runToEnd(first, "Go");
  await using fork = await harness.forkThread(first.id);
  await runToEnd(fork, "Go on");
  const child = Promise.withResolvers<string>();
  const delegate = defineTool({
    name: "delegate",
    description: "Gives the task to another agent.",
    input: z.strictObject({}),
    approval: "run",
    async run() {
      await using agent = await harness.openThread({ parent });
      child.resolve(agent.id);
      return (await runToEnd(agent, "Count.")).outcome.type;
    },
  });
  const parent = await harness.openThread({ tools: [delegate] });
  await runToEnd(parent, "Delegate");
  expect(new Set(listRoutes(world).map(([id]) => id)).size).toBe(4);
  expect(listRoutes(world)).toEqual([
    [first.id, null],
    [fork.id, null],
    [parent.id, null],
    [await child.promise, null],
    [parent.id, "turn_3"],
  ]);
});
