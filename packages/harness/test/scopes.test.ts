import type { NumberedEvent } from "@unroll/protocol";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const said = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });

async function collect(events: AsyncIterable<NumberedEvent>): Promise<readonly NumberedEvent[]> {
  const all: NumberedEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test("threads of a harness share its connections, and each has a transcript of its own", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two."), said("Three.")] } });
  await using harness = await world.openHarness();
  const first = await harness.openThread();
  const second = await harness.openThread();
  await runToEnd(first, "a");
  await runToEnd(second, "b");
  await runToEnd(first, "c");
  expect(world.model.violations).toEqual([]);
  const texts = world.model.requests.map(({ raw }) =>
    ["a", "b", "c"].filter((text) => raw.includes(`"text":"${text}"`)),
  );
  expect(texts).toEqual([["a"], ["b"], ["a", "c"]]);
});

test("a thread that closes leaves its harness and the other threads open", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  await using harness = await world.openHarness();
  await using kept = await harness.openThread();
  await using closed = await harness.openThread();
  await closed[Symbol.asyncDispose]();
  expect((await runToEnd(kept, "a")).outcome.type).toBe("completed");
});

test("a thread closes the threads that it is the parent of", async () => {
  await using world = await openThreadWorld({ script: { turns: [] } });
  await using harness = await world.openHarness();
  const parent = await harness.openThread();
  const child = await harness.openThread({ parent });
  const ended: string[] = [];
  child.onClose(() => void ended.push("child"));
  await parent[Symbol.asyncDispose]();
  expect(ended).toEqual(["child"]);
});

test("a thread that is opened the short way has no parent, also where a caller without types names one", async () => {
  await using world = await openThreadWorld({ script: { turns: [] } });
  await using harness = await world.openHarness();
  const parent = await harness.openThread();
  await using thread = await world.openThread({ parent } as never);
  await parent[Symbol.asyncDispose]();
  await expect(thread.send("still open")).resolves.toBeUndefined();
});

test("every reader of a thread's events gets all of them, numbered, in one order", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  const thread = await world.openThread();
  const read = (): Promise<readonly NumberedEvent[]> => collect(thread.events());
  const readers = [read(), read()];
  const betweenTurns = collect(thread.events({ ofTurns: false }));
  await runToEnd(thread, "a");
  const late = read();
  await runToEnd(thread, "b");
  await thread[Symbol.asyncDispose]();
  const [first, second] = await Promise.all(readers);
  expect(second).toEqual(first);
  expect(await betweenTurns).toEqual(first?.filter(({ turnId }) => turnId === null));
  expect(first?.map(({ seq }) => seq)).toEqual(first?.map((_, index) => index));
  expect(first?.[0]).toMatchObject({ threadId: thread.id, turnId: null, event: { type: "thread.started" } });
  const turns = first?.flatMap(({ event, turnId }) => (event.type === "turn.started" ? [[event.turn_id, turnId]] : []));
  expect(turns?.every(([told, place]) => told === place)).toBe(true);
  const fromLate = await late;
  expect(fromLate).toEqual(first?.slice(-fromLate.length));
  expect(fromLate.filter(({ event }) => event.type === "turn.started")).toHaveLength(1);
});

test("the caller of `run` gets the same events as the readers", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One.")] } });
  const thread = await world.openThread();
  const reading = collect(thread.events());
  const { events } = await runToEnd(thread, "a");
  await thread[Symbol.asyncDispose]();
  expect((await reading).map(({ event }) => event)).toEqual(events);
});

test("a message whose skill cannot be read is reported, and the message after it arrives", async () => {
  const skill = "---\nname: plan\ndescription: Plans.\n---\nPlan it.";
  const files = { ".git/HEAD": "", ".git/objects/x": "", ".git/refs/x": "", ".agents/skills/plan/SKILL.md": skill };
  await using world = await openThreadWorld({ script: { turns: [said("One.")] } }, { files });
  await using thread = await world.openThread();
  const image = { type: "image", dataUrl: 5 } as never;
  const [bad, good] = await Promise.allSettled([
    thread.send([null as never]),
    thread.send([{ type: "text", text: "first" }, image]),
  ]);
  expect([bad.status, good.status]).toEqual(["rejected", "fulfilled"]);
  await runToEnd(thread, "second");
  const body = world.model.requests[0]?.raw.toString() ?? "";
  expect(body.indexOf('"text":"first"')).toBeGreaterThan(0);
  expect(body.indexOf('"text":"first"')).toBeLessThan(body.indexOf('"text":"second"'));
});

test("what is sent when a turn has begun comes behind what began it, and what was sent before in front", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One.")] } });
  await using thread = await world.openThread();
  const before = thread.send("A");
  const turn = runToEnd(thread, "B");
  await Promise.all([before, thread.send("C")]);
  await turn;
  const body = world.model.requests[0]?.raw.toString() ?? "";
  expect(body.match(/"text":"[ABC]"/g)).toEqual(['"text":"A"', '"text":"B"', '"text":"C"']);
});
