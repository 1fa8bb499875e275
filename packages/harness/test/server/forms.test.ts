import type { JournalEntry, ThreadEvent } from "@unroll/protocol";
import {
  createLlamaServerGuise,
  createLmStudioGuise,
  createOllamaGuise,
  createVllmGuise,
  type Guise,
  type ScriptTurn,
} from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "../thread-world.ts";

const call: ScriptTurn = {
  items: [{ reasoning: "Hm." }, { text: "I look." }, { call: "update_plan", arguments: { plan: [] } }],
};
const done: ScriptTurn = { items: [{ reasoning: "So." }, { text: "Done." }] };

/** A thread that each opening resumes, of an undeclared provider, or of one with these keys. */
function createKept(world: ThreadWorld, ...keys: readonly string[]) {
  const entries: JournalEntry[] = [];
  const journal = { record: (entry: JournalEntry) => void entries.push(entry), settled: () => Promise.resolve() };
  const table = ["base_url=" + world.model.url, ...keys].map((key) => `model_providers.mine.${key}`);
  const config = [...table, "model_provider=mine", "model=m", "developer_instructions=Be brief."];
  return { entries, open: () => world.openThread({ config, journal, entries: [...entries] }) };
}

const guises: readonly (readonly [string, () => Guise])[] = [
  ["llama.cpp", () => createLlamaServerGuise({ model: "m" })],
  ["llama.cpp with Qwen's template", () => createLlamaServerGuise({ model: "m", template: "system_first" })],
  ["llama.cpp with Mistral's template", () => createLlamaServerGuise({ model: "m", template: "alternating" })],
  ["vLLM with Qwen's template", () => createVllmGuise({ models: ["m"], template: "system_first" })],
  ["vLLM with Mistral's template", () => createVllmGuise({ models: ["m"], template: "alternating" })],
  ["LM Studio", () => createLmStudioGuise({ models: ["m"], knowsResponses: true })],
  ["Ollama", () => createOllamaGuise({ version: "0.13.4", models: ["m"] })],
];

const ways = guises.flatMap(([name, guise]) => [
  { name, guise, reasoning: "without its reasoning", keys: [] },
  { name, guise, reasoning: "with its reasoning", keys: ["supports_reasoning_items=true"] },
]);

test.for(ways)(
  "$name takes each request of a thread that nobody declared, $reasoning, whatever happens in it",
  async ({ guise, keys }) => {
    const turns = [call, call, done, call, done, done, done];
    await using world = await openThreadWorld({ script: { turns }, guise: guise() });
    const kept = createKept(world, ...keys);
    {
      await using thread = await kept.open();
      const turn = thread.run("Go", { signal: new AbortController().signal });
      let steered = 0;
      for await (const event of turn)
        if (event.type === "request.completed" && steered++ < 2) await thread.send("And mind this.");
      // the model gets both: one is a developer message
      thread.change({ sandboxMode: "read-only" });
      const stop = new AbortController();
      const cut: ThreadEvent[] = [];
      for await (const event of thread.run("On", { signal: stop.signal })) {
        cut.push(event);
        if (event.type === "request.completed") stop.abort();
      }
      expect(cut.at(-1)).toMatchObject({ type: "turn.failed", error: { code: "interrupted" } });
      expect((await runToEnd(thread, "And on")).outcome.type).toBe("completed");
    }
    await using resumed = await kept.open();
    expect((await runToEnd(resumed, "Once more")).outcome.type).toBe("completed");
    expect((await runToEnd(resumed, "The last")).outcome.type).toBe("completed");
    expect(world.model.violations).toEqual([]);
    const { instructions } = world.model.requests[0]?.body ?? {};
    expect(instructions).toContain("Be brief.");
    expect(instructions).toContain("<permissions instructions>");
    const last = world.model.requests.at(-1)?.input ?? [];
    expect(last.some((item) => (item as { readonly type: string }).type === "reasoning")).toBe(keys.length > 0);
  },
);
