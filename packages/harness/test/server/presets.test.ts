import type { JournalEntry, ThreadEvent } from "@unroll/protocol";
import type { ScriptTurn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "../thread-world.ts";

const patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch";
const done: ScriptTurn = { items: [{ text: "Done." }] };
const freeform: ScriptTurn = { items: [{ reasoning: "Hm." }, { custom: "apply_patch", input: patch }] };
const asFunction: ScriptTurn = { items: [{ call: "apply_patch", arguments: { input: patch } }] };

/** A thread that each opening resumes, of a provider whose config has only these keys. */
function createKept(world: ThreadWorld) {
  const entries: JournalEntry[] = [];
  const journal = { record: (entry: JournalEntry) => void entries.push(entry), settled: () => Promise.resolve() };
  return {
    entries,
    async run(input: string, ...keys: readonly string[]): Promise<readonly ThreadEvent[]> {
      const table = ["base_url=" + world.model.url, ...keys].map((key) => `model_providers.mine.${key}`);
      const config = [...table, "model_provider=mine"];
      await using thread = await world.openThread({ config, journal, entries: [...entries] });
      const { events, outcome } = await runToEnd(thread, input);
      expect(outcome.type).toBe("completed");
      return events;
    },
  };
}

function listTools(body: { readonly tools?: unknown }): readonly string[] {
  return (body.tools as readonly { readonly type: string; readonly name?: string }[]).map(
    ({ type, name = type }) => `${type} ${name}`,
  );
}

test("an undeclared provider gets functions only, and a thread of it stays so when the provider is declared later", async () => {
  const turns = [asFunction, done, done];
  await using world = await openThreadWorld({ script: { turns, checks: { fields: false } } });
  const kept = createKept(world);
  await kept.run("Go");
  const events = await kept.run("On", 'preset="openai"');
  const plain = [
    "model",
    "instructions",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "stream",
    "input",
    "reasoning",
  ];
  expect(Object.keys(world.model.requests[0]?.body ?? {})).toEqual(plain);
  const tools = world.model.requests.map(({ body }) => listTools(body));
  expect(tools[0]?.every((tool) => tool.startsWith("function "))).toBe(true);
  expect(new Set(tools.map((each) => each.join())).size).toBe(1);
  expect(events.filter(({ type }) => type === "warning" || type === "epoch.opened")).toEqual([]);
  const opened = kept.entries.find((entry) => entry.type === "thread.opened");
  expect(opened?.form).toEqual({
    anyItems: false,
    customTools: false,
    developerMessages: false,
    images: true,
    reasoningItems: true,
    repeatedRoles: false,
    webSearch: false,
  });
});

test("a thread that was saved before providers had presets resumes with its tools and bytes", async () => {
  const turns = [freeform, done, freeform, done];
  await using world = await openThreadWorld({ script: { turns } });
  const kept = createKept(world);
  // as every provider was taken then
  await kept.run("Go", 'preset="openai"');
  expect(kept.entries.find((entry) => entry.type === "thread.opened")).not.toHaveProperty("form");
  const events = await kept.run("On");
  expect(events.filter(({ type }) => type === "epoch.opened")).toEqual([]);
  expect(JSON.stringify(events)).not.toContain("goes on with the tools that it had");
  expect(world.model.requests.map(({ body }) => listTools(body).includes("custom apply_patch"))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain("A a.txt");
  expect(world.model.violations).toEqual([]);
});

test("a key that a user set leaves all else as it was", async () => {
  await using world = await openThreadWorld({ script: { turns: [freeform, done] } });
  await createKept(world).run("Go", "supports_images=false");
  const [{ body } = { body: {} }] = world.model.requests;
  expect(body).toMatchObject({ include: ["reasoning.encrypted_content"], store: false });
  expect(listTools(body)).toContain("custom apply_patch");
  expect(listTools(body)).not.toContain("function view_image");
});
