import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
// @boundaries-ignore it belongs to no package
import { parseArguments, wholeFrom } from "../../tooling/parse-arguments.ts";
import { joinSeeds, type SeedRange, type SimulatedSeeds, simulateSeeds } from "./simulate-seeds.ts";

const usage = "npm run simulate -- [--seeds N] [--seed S] [--steps] [--cores N]";
/** A worker for less than so many seeds would take longer to load than to run. */
const fewestOfWorker = 100;

/** Simulates `--seeds` seeds from the seed `--seed` on, on all cores. Exits with 1 where one broke a law. */
async function main(): Promise<number> {
  const options = { seeds: wholeFrom(1), seed: wholeFrom(0), cores: wholeFrom(1) };
  const given = parseArguments(usage, { options, flags: ["steps"] });
  const first = given.seed ?? 0;
  const seeds = given.seeds ?? (given.seed === null ? 1000 : 1);
  const cores = given.steps ? 1 : Math.min(given.cores ?? availableParallelism(), Math.ceil(seeds / fewestOfWorker));
  const before = process.cpuUsage();
  const { sums, failed } = await simulateOn(cores, { first, seeds, stride: 1, isWhole: given.steps });
  const { user, system } = process.cpuUsage(before);
  const rate = (count: number): string => ((count * 1e6) / (user + system)).toFixed(0);
  console.log(
    `${seeds} seeds, ${rate(seeds)} a second of CPU. ${sums.threads} threads opened, resumed or forked, ${rate(sums.threads)} a second of CPU. ` +
      `${sums.turns} turns, ${sums.requests} requests, ${sums.commands} commands, ${sums.faults} faults, ${sums.kills} kills, ` +
      `${(sums.elapsedMs / 3_600_000).toFixed(0)} simulated hours; ${failed.length} seeds broke a law.`,
  );
  if (failed.length > 0) console.log(`Run one again: npm run simulate -- --seed ${failed[0]} --steps`);
  return failed.length > 0 ? 1 : 0;
}

async function simulateOn(cores: number, { first, seeds, isWhole }: SeedRange): Promise<SimulatedSeeds> {
  if (cores === 1) return simulateSeeds({ first, seeds, stride: 1, isWhole });
  const parts = Array.from({ length: cores }, (_, core) =>
    simulateBeside({ first: first + core, seeds: seeds - core, stride: cores, isWhole }),
  );
  return joinSeeds(await Promise.all(parts));
}

/** On a core of its own. */
function simulateBeside(range: SeedRange): Promise<SimulatedSeeds> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("seed-worker.ts", import.meta.url), { workerData: range });
    worker.once("message", resolve).once("error", reject);
  });
}

process.exitCode = await main();
