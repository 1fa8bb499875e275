import { vi } from "vitest";
import { openSimulation, type Simulate } from "../src/simulate-thread.ts";

/** Virtual time does not see that vitest loads a module: what loads on first use is loaded by these, whatever comes of them. */
const loading = 6;

export async function openLoadedSimulation(): Promise<Simulate> {
  const simulate = await openSimulation();
  for (let seed = 0; seed < loading; seed++) await simulate(seed);
  await vi.dynamicImportSettled();
  return simulate;
}

/** `UNROLL_SEEDS=2000` looks longer, as `npm run simulate` does in CI. Two files share them, so that none is the tail of a test run. */
const seeds = Number(process.env["UNROLL_SEEDS"] ?? 50);

/** The laws that every second seed from `first` on breaks, and how to reproduce each; empty if none. */
export async function findBroken(simulate: Simulate, first: 0 | 1, more: readonly number[] = []): Promise<string[]> {
  const found: string[] = [];
  const listed = Array.from({ length: Math.ceil((seeds - first) / 2) }, (_, index) => first + 2 * index);
  for (const seed of [...more, ...listed]) {
    const { broken, steps } = await simulate(seed);
    if (broken.length === 0) continue;
    found.push(`npm run simulate -- --seed ${seed} --steps`, ...steps.slice(-40), ...broken);
  }
  return found;
}
