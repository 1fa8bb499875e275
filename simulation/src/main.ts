// @boundaries-ignore it belongs to no package
import { parseArguments, wholeFrom } from "../../tooling/parse-arguments.ts";
import { openSimulation, type SimulatedThread } from "./simulate-thread.ts";

const usage = "npm run simulate -- [--seeds N] [--seed S] [--steps]";
const shownSteps = 60;

/** Simulates `--seeds` threads from the seed `--seed` on. Exits with 1 where one broke a law. */
async function main(): Promise<number> {
  const given = parseArguments(usage, { options: { seeds: wholeFrom(1), seed: wholeFrom(0) }, flags: ["steps"] });
  const first = given.seed ?? 0;
  const seeds = given.seeds ?? (given.seed === null ? 1000 : 1);
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
    if (thread.broken.length > 0 || given.steps) show(thread, given.steps);
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
