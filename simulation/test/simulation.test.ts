import { beforeAll, expect, test, vi } from "vitest";
import { openSimulation } from "../src/simulate-thread.ts";

/** `UNROLL_SEEDS=2000` looks longer: so many beside those that found something once. */
const seeds = Number(process.env["UNROLL_SEEDS"] ?? 40);
/** 1341 found encrypted reasoning that came back after it was refused; packages/harness/test/guard/stale-content.test.ts holds it. */
const foundBy = [1341];

/** Virtual time does not see that vitest loads a module: what loads on first use is loaded by these, whatever comes of them. */
const loading = 12;
beforeAll(async () => {
  const simulate = await openSimulation();
  for (let seed = 0; seed < loading; seed++) await simulate(seed);
  await vi.dynamicImportSettled();
});

test("no law is broken in threads that fail, are killed and go on at random", async () => {
  const simulate = await openSimulation();
  for (const seed of [...foundBy, ...Array.from({ length: seeds }, (_, index) => index)]) {
    const { broken, steps } = await simulate(seed);
    expect(broken, `npm run simulate -- --seed ${seed} --steps\n${steps.slice(-40).join("\n")}`).toEqual([]);
  }
});

test("a seed does the same each time, step by step", async () => {
  const simulate = await openSimulation();
  for (const seed of [3, 9, 10]) {
    const first = await simulate(seed);
    const second = await simulate(seed);
    expect(second.steps).toEqual(first.steps);
    expect(second.hash).toBe(first.hash);
  }
});
