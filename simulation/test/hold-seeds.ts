import { expect, vi } from "vitest";
import { openSimulation, type Simulate } from "../src/simulate-thread.ts";

/** Virtual time does not see that vitest loads a module: what loads on first use is loaded by these, whatever comes of them. */
const loading = 12;

export async function openLoadedSimulation(): Promise<Simulate> {
  const simulate = await openSimulation();
  for (let seed = 0; seed < loading; seed++) await simulate(seed);
  await vi.dynamicImportSettled();
  return simulate;
}

/** `UNROLL_SEEDS=2000` looks longer. Two files share them, so that none is the tail of a test run. */
const seeds = Number(process.env["UNROLL_SEEDS"] ?? 400);

/** Every second seed, from `first` on. */
export async function holdSeeds(simulate: Simulate, first: 0 | 1): Promise<void> {
  for (let seed = first; seed < seeds; seed += 2) await holdSeed(simulate, seed);
}

export async function holdSeed(simulate: Simulate, seed: number): Promise<void> {
  const { broken, steps } = await simulate(seed);
  if (broken.length === 0) return; // the steps are many
  expect(broken, `npm run simulate -- --seed ${seed} --steps\n${steps.slice(-40).join("\n")}`).toEqual([]);
}
