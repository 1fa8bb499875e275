import { parseArgs } from "node:util";
import { openSimulation, type SimulatedThread } from "./simulate-thread.ts";

const usage = "usage: npm run simulate -- [--seeds N] [--seed S] [--steps]";
const shownSteps = 60;

/** Simulates `--seeds` threads from the seed `--seed` on. Exits with 1 where one broke a law. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { seeds: { type: "string" }, seed: { type: "string" }, steps: { type: "boolean", default: false } },
  });
  const first = Number(values.seed ?? 0);
  const seeds = Number(values.seeds ?? (values.seed === undefined ? 1000 : 1));
  if (!Number.isInteger(first) || !Number.isInteger(seeds) || first < 0 || seeds < 1) throw new TypeError(usage);
  const simulate = await openSimulation();
  const failed: number[] = [];
  const sums = { turns: 0, requests: 0, commands: 0, faults: 0, kills: 0, hours: 0 };
  const before = process.cpuUsage();
  for (let seed = first; seed < first + seeds; seed++) {
    const thread = await simulate(seed);
    const { turns, requests, commands, faults, kills, elapsedMs } = thread.figures;
    sums.turns += turns;
    sums.requests += requests;
    sums.commands += commands;
    sums.faults += faults;
    sums.kills += kills;
    sums.hours += elapsedMs / 3_600_000;
    if (thread.broken.length > 0) failed.push(seed);
    if (thread.broken.length > 0 || values.steps) show(thread, values.steps);
  }
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  console.log(
    `${seeds} threads, ${(seeds / seconds).toFixed(0)} a second of CPU: ${sums.turns} turns, ${sums.requests} requests, ${sums.commands} commands, ` +
      `${sums.faults} faults, ${sums.kills} kills, ${sums.hours.toFixed(0)} simulated hours; ${failed.length} broke a law.`,
  );
  if (failed.length > 0) console.log(`Run one again: npm run simulate -- --seed ${failed[0]} --steps`);
  return failed.length > 0 ? 1 : 0;
}

function show({ seed, broken, steps, hash }: SimulatedThread, isWhole: boolean): void {
  console.log(`seed ${seed} (${hash.slice(0, 16)})`);
  for (const step of isWhole ? steps : steps.slice(-shownSteps)) console.log(step);
  for (const law of broken) console.log(`  BROKEN: ${law}`);
}

process.exitCode = await main();
