import { join } from "node:path";
import { type NumberedEvent, replayThread, type ThreadEvent, type ThreadStore, type UserInput } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const said = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });
/** One red dot. */
const image = "data:image/gif;base64,R0lGODdhAQABAIABAP8AAP///ywAAAAAAQABAAACAkQBADs=";
const pictured: UserInput = [
  { type: "text", text: "as here" },
  { type: "image", dataUrl: image },
];

function openStore(world: ThreadWorld): ThreadStore {
  return openThreadStore({ codexHome: join(world.home, ".codex"), clock: { now: Date.now }, pid: process.pid });
}

/** The user's messages in the last request. */
function saidIn(world: ThreadWorld): readonly unknown[] {
  const input = world.model.requests.at(-1)?.input ?? [];
  const contents = input.flatMap((item) => (item["role"] === "user" ? [item["content"]] : []));
  return contents.slice(1); // the first message describes the environment
}

const text = (words: string): unknown => ({ type: "input_text", text: words });
const picturedContent = [
  text("as here"),
  text("<image name=[Image #1]>"),
  { type: "input_image", image_url: image },
  text("</image>"),
];

const waits = (words: string): unknown => ({
  type: "warning",
  message: `Earlier messages that never reached the model come before your next one: ${words}.`,
});

test("messages that were sent but not read wait in a resumed thread, in order, with their images, and are reported", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two."), said("Three.")] } });
  await using harness = await world.openHarness({ store: openStore(world) });
  const first = await harness.openThread();
  await runToEnd(first, "a");
  await first.send("b");
  await first.send(pictured);
  await first[Symbol.asyncDispose]();

  const thread = await harness.resumeThread(first.id);
  const { events } = await runToEnd(thread, "d");
  expect(events.slice(0, 2)).toEqual([
    { type: "thread.started", thread_id: first.id },
    waits('"b", "as here [an image]"'),
  ]);
  expect(saidIn(world)).toEqual([[text("a")], [text("b")], picturedContent, [text("d")]]);
  await thread[Symbol.asyncDispose]();

  await using again = await harness.resumeThread(first.id);
  expect((await runToEnd(again, "e")).events[1]).toMatchObject({ type: "turn.started" });
  expect(saidIn(world)).toEqual([[text("a")], [text("b")], picturedContent, [text("d")], [text("e")]]);
  expect(world.model.violations).toEqual([]);
});

test("a process that is killed once it was sent, or while it is taken in, leaves each of it once", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  const store = openStore(world);
  await using harness = await world.openHarness({ store });
  await using thread = await harness.openThread();
  await runToEnd(thread, "a");
  await thread.send("b");
  await thread.send("c");
  const { length } = (await store.load(thread.id)).entries; // what a kill would leave now
  await runToEnd(thread, "d");
  const { entries } = await store.load(thread.id);
  const cuts = entries
    .slice(
      length,
      entries.findLastIndex(({ type }) => type === "request"),
    )
    .map(({ type }) => type);
  expect(cuts).toEqual(["turn.started", "settings", "item", "item", "item", "note"]);
  for (let end = length; end <= length + cuts.length; end++) {
    await using other = await openThreadWorld({ script: { turns: [said("Three.")] } });
    await using resumed = await other.openThread({ entries: entries.slice(0, end) });
    await runToEnd(resumed, "e");
    const told = saidIn(other).filter((content) => /"text":"[a-e]"/.test(JSON.stringify(content)));
    const before = end < length + 5 ? [] : [[text("d")]];
    expect(told).toEqual([[text("a")], [text("b")], [text("c")], ...before, [text("e")]]);
  }
});

test("a fork does not have what waits in the other thread", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One."), said("Two.")] } });
  await using harness = await world.openHarness({ store: openStore(world) });
  await using thread = await harness.openThread();
  await runToEnd(thread, "a");
  await thread.send("b");
  await using fork = await harness.forkThread(thread.id);
  await runToEnd(fork, "c");
  expect(saidIn(world)).toEqual([[text("a")], [text("c")]]);
});

test("where nothing is kept, the end of the thread says what is lost", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One.")] } });
  await using harness = await world.openHarness({ store: openStore(world) });
  const ends = async (options: { readonly ephemeral?: boolean }, input: string | null): Promise<readonly unknown[]> => {
    const thread = await harness.openThread(options);
    if (input !== null) await runToEnd(thread, input);
    const told = collect(thread.events());
    await thread.send("b");
    await thread[Symbol.asyncDispose]();
    return (await told).map(({ event }) => event).filter(({ type }) => type !== "thread.started");
  };
  const lost = {
    type: "warning",
    message: 'The thread is closed and was not saved. Messages that never reached the model are lost: "b".',
  };
  expect(await ends({ ephemeral: true }, "a")).toEqual([lost]);
  expect(await ends({}, null)).toEqual([lost]); // it has had no turn, and so leaves no file
});

test("input over the limit is refused", async () => {
  await using world = await openThreadWorld({ script: { turns: [said("One.")] } });
  await using thread = await world.openThread();
  await thread.send("x".repeat(20 * 1024 * 1024));
  await expect(thread.send("x".repeat(20 * 1024 * 1024))).rejects.toMatchObject({ code: "too_much_waits" });
});

async function collect(events: AsyncGenerator<NumberedEvent, void>): Promise<readonly NumberedEvent[]> {
  const told: NumberedEvent[] = [];
  for await (const event of events) told.push(event);
  return told;
}

test("an answer that you wrote into is shown in the same order when the thread is opened again", async () => {
  const both = { items: [{ reasoning: "Hm." }, { text: "One." }] };
  await using world = await openThreadWorld({ script: { turns: [both, said("Two.")] } });
  const store = openStore(world);
  await using thread = await world.openThread({ store });
  const shown: string[] = [];
  const show = (event: ThreadEvent): string[] => {
    if (event.type === "request.completed") return [event.type];
    return event.type === "item.completed" ? [event.item.type] : [];
  };
  for await (const event of thread.run("a")) {
    shown.push(...show(event));
    if (event.type === "item.completed" && event.item.type === "reasoning") await thread.send("b");
  }
  const { entries } = await store.load(thread.id);
  expect([...replayThread(entries)].flatMap(show)).toEqual(shown);
  expect(shown).toEqual(["reasoning", "agent_message", "request.completed", "agent_message", "request.completed"]);
});
