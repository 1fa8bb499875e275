import { beforeAll, expect, test } from "vitest";
import type { Simulate } from "../src/simulate-thread.ts";
import { findBroken, openLoadedSimulation } from "./hold-seeds.ts";

/** 1341 found encrypted reasoning that came back after it was refused; packages/harness/test/guard/stale-content.test.ts holds it. */
const foundBy = [1341];

let simulate: Simulate;

beforeAll(async () => {
  simulate = await openLoadedSimulation();
});

test("no law is broken in threads that fail, are killed and resume at random", async () => {
  expect(await findBroken(simulate, 0, foundBy)).toEqual([]);
});

test("a seed does the same each time, step by step", async () => {
  for (const seed of [3, 9, 10]) {
    const first = await simulate(seed);
    const second = await simulate(seed);
    expect(second.steps).toEqual(first.steps);
    expect(second.hash).toBe(first.hash);
  }
});
