import { expect, test } from "vitest";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

test("threads of one shard send one cache key if their requests begin alike", async () => {
  await using world = await openThreadWorld({
    script: { turns: [{ items: [{ text: "Done." }] }], atEnd: "repeat-last" },
  });
  await using harness = await world.openHarness();
  const opened = [
    { cacheShard: 0 },
    { cacheShard: 0 },
    { cacheShard: 1 },
    { cacheShard: 0, instructions: "Be brief." },
    {},
  ];
  const ids: string[] = [];
  for (const options of opened) {
    await using thread = await harness.openThread(options);
    ids.push(thread.id);
    await runToEnd(thread, "Go");
  }
  const keys = world.model.requests.map(({ body }) => String(body["prompt_cache_key"]));
  const [first = "", second, other, brief, own] = keys;
  expect(first).toMatch(/^[\w-]{22}-0$/);
  expect(second).toBe(first);
  expect(other).toBe(first.replace(/0$/, "1"));
  expect(brief).toMatch(/-0$/);
  expect(brief).not.toBe(first);
  expect(own).toBe(ids.at(-1));
});
