import { expect, test } from "vitest";
import { createChance } from "../src/create-chance.ts";
import { fuzz } from "../src/fuzz/fuzz.ts";
import { fuzzTargetNames, openFuzzTarget } from "../src/fuzz/open-fuzz-target.ts";
import { readCorpus } from "../src/fuzz/read-corpus.ts";

/** `UNROLL_FUZZ=60` looks for so many seconds at each, with a seed of its own. */
const seconds = Number(process.env["UNROLL_FUZZ"] ?? 0);
const seed = seconds > 0 ? Math.floor(Date.now() / 1000) : 0;
const tries = { sse: 60, answer: 200, patch: 300, rules: 200, config: 60, rollout: 75 };

test.for(fuzzTargetNames)("what reads %s holds its laws for the corpus and for what is like it", async (target) => {
  const end = performance.now() + seconds * 1000;
  const goesOn = (tried: number): boolean => (seconds > 0 ? performance.now() < end : tried < tries[target]);
  const { found } = await fuzz({ target, seed, goesOn });
  const input = found && Buffer.from(found.bytes).toString("base64");
  expect(found?.error ?? null, `Keep it in conformance/fuzz/${target}, from base64: ${input}`).toBeNull();
});

test("no flipped bit of a saved thread makes a request invalid JSON, or leaves a call without its one output", async () => {
  await using target = await openFuzzTarget("rollout");
  const chance = createChance(seed);
  const saved =
    readCorpus("rollout").find(({ name }) => name.endsWith("lowered-and-joined"))?.bytes ?? new Uint8Array();
  for (let left = 700; left > 0; left--) {
    const [at, bit] = [chance.below(saved.length), chance.below(8)];
    const flipped = saved.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte));
    await expect(target.check(flipped), `bit ${bit} at ${at}`).resolves.toBeUndefined();
  }
});
