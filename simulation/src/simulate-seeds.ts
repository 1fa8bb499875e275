import { openSimulation, type SimulatedFigures, type SimulatedThread } from "./simulate-thread.ts";

/** Every `stride`-th of `seeds` seeds, from `first` on. */
export interface SeedRange {
  readonly first: number;
  readonly seeds: number;
  readonly stride: number;
  /** Whether every step of each seed is shown; else the last ones of those that broke a law. */
  readonly isWhole: boolean;
}

/** The results of many seeds. */
export interface SimulatedSeeds {
  readonly sums: SimulatedFigures;
  /** Seeds that broke a law. */
  readonly failed: readonly number[];
}

const shownSteps = 60;
const none: SimulatedFigures = { threads: 0, turns: 0, requests: 0, commands: 0, faults: 0, kills: 0, elapsedMs: 0 };

/** Simulates them one after the other, and tells at once what broke a law. */
export async function simulateSeeds({ first, seeds, stride, isWhole }: SeedRange): Promise<SimulatedSeeds> {
  const simulate = await openSimulation();
  const failed: number[] = [];
  let sums = none;
  for (let seed = first; seed < first + seeds; seed += stride) {
    const thread = await simulate(seed);
    sums = addFigures(sums, thread.figures);
    if (thread.broken.length > 0) failed.push(seed);
    if (thread.broken.length > 0 || isWhole) show(thread, isWhole);
  }
  return { sums, failed };
}

/** Joins the results of seeds that were simulated side by side. */
export function joinSeeds(parts: readonly SimulatedSeeds[]): SimulatedSeeds {
  return {
    sums: parts.map(({ sums }) => sums).reduce(addFigures, none),
    failed: parts.flatMap(({ failed }) => failed).toSorted((a, b) => a - b),
  };
}

function addFigures(one: SimulatedFigures, other: SimulatedFigures): SimulatedFigures {
  return {
    threads: one.threads + other.threads,
    turns: one.turns + other.turns,
    requests: one.requests + other.requests,
    commands: one.commands + other.commands,
    faults: one.faults + other.faults,
    kills: one.kills + other.kills,
    elapsedMs: one.elapsedMs + other.elapsedMs,
  };
}

function show({ seed, broken, steps, hash }: SimulatedThread, isWhole: boolean): void {
  console.log(`seed ${seed} (${hash.slice(0, 16)})`);
  for (const step of isWhole ? steps : steps.slice(-shownSteps)) console.log(step);
  for (const law of broken) console.log(`  BROKEN: ${law}`);
}
