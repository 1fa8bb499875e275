// As many random threads as fit into the time, and between them the real thing: whole programs and sandboxes that are killed, a
// small disk that fills up, workers of a queue in trouble, a ceiling of memory (the disk and the memory as root on Linux; elsewhere it says why they are skipped).
//   node -C @unroll/source soak.mjs [seconds] [seed]      after npm run build; prints figures, exits with 1 where a law was broken
// @boundaries-ignore it belongs to no package
import { parseArguments, wholeFrom } from "../tooling/parse-arguments.ts";
import { createChance } from "./src/create-chance.ts";
import { openSimulation } from "./src/simulate-thread.ts";

// they belong to no package
const load = (path) => import(new URL(`../conformance/${path}`, import.meta.url).href);
const { killWriter } = await load("threads/kill-writer.mjs");
const { fillDisk } = await load("threads/fill-disk.mjs");
const { limitMemory } = await load("threads/limit-memory.mjs");
const { killHarness } = await load("sandbox/kill-harness.mjs");
const { findMissing, runQueueFaults } = await load("queue/faults.mjs");
const given = parseArguments("npm run soak -- [seconds] [seed]", {
  words: { seconds: wholeFrom(1), seed: wholeFrom(0) },
});
const [seconds, firstSeed] = [given.seconds ?? 3600, given.seed ?? Math.floor(Date.now() / 1000)];
const chance = createChance(firstSeed);
const random = () => chance.next();
const rounds = { threads: 200, writer: 25, harness: 12, disk: 16, memory: 1 };
const figures = {
  threads: 0,
  turns: 0,
  faults: 0,
  kills: 0,
  realTurns: 0,
  realKills: 0,
  fullDisks: 0,
  lowMemory: 0,
  queuedTasks: 0,
  peakMiB: 0,
};
const broken = { lost: 0, twice: 0, leaks: 0, other: 0 };
const skipped = new Set();

const kinds = [
  ["lost", /lost|never heard|not written down|no thread knows/i],
  ["twice", /twice/],
  ["leaks", /secret|timers are left|still runs|died of a signal|did not end/],
];

/** Counts what a broken law cost, and says it at once. */
function tell(what, where) {
  const [kind] = kinds.find(([, pattern]) => pattern.test(what)) ?? ["other"];
  broken[kind] += 1;
  console.log(`BROKEN (${where}): ${what}`);
}

const simulate = await openSimulation();
const end = performance.now() + seconds * 1000;
let seed = firstSeed;
while (performance.now() < end) {
  for (let n = 0; n < rounds.threads && performance.now() < end; n++) {
    const { broken: laws, figures: one } = await simulate((seed += 1) % 2 ** 32);
    figures.threads += 1;
    for (const name of ["turns", "faults", "kills"]) figures[name] += one[name];
    for (const law of laws) tell(law, `npm run simulate -- --seed ${seed} --steps`);
  }
  const written = await killWriter({ rounds: rounds.writer, random });
  for (const sentence of written.broken) tell(sentence, "kill-writer.mjs");
  const survived = await killHarness({ rounds: rounds.harness, random, sideBySide: 2 });
  for (let n = 0; n < survived; n++) tell("a command still runs when its harness was killed", "kill-harness.mjs");
  figures.realKills += rounds.writer + rounds.harness;
  figures.realTurns += rounds.writer;
  const filled = await fillDisk({ rounds: rounds.disk, random });
  report(filled, "fill-disk.mjs");
  figures.fullDisks += filled.full;
  const limited = await limitMemory({ rounds: rounds.memory });
  report(limited, "limit-memory.mjs");
  for (const kind of ["redis", "postgres"]) await disturbQueue(kind);
  figures.lowMemory += limited.runs;
  figures.peakMiB = Math.max(figures.peakMiB, limited.peakMiB);
  print();
}
print();
for (const reason of skipped) console.log(`skipped: ${reason}`);
process.exitCode = broken.lost + broken.twice + broken.leaks + broken.other > 0 ? 1 : 0;

async function disturbQueue(kind) {
  const missing = findMissing(kind);
  if (missing !== null) return void skipped.add(`queue/faults.mjs on ${kind}: ${missing}`);
  const {
    broken: sentences,
    tasks,
    kills,
  } = await runQueueFaults(kind, { tasks: 60, workers: 4, seed: (seed += 1) % 2 ** 32 });
  for (const sentence of sentences) tell(sentence, "queue/faults.mjs");
  figures.queuedTasks += tasks;
  figures.realKills += kills;
}

/** Reports the results of real programs on a machine that lacks something. */
function report({ broken: sentences, skipped: reason, runs }, where) {
  for (const sentence of sentences) tell(sentence, where);
  if (reason !== null) skipped.add(`${where}: ${reason}`);
  figures.realTurns += runs;
}

function print() {
  const { threads, turns, faults, kills, realTurns, realKills, fullDisks, lowMemory, peakMiB, queuedTasks } = figures;
  const { lost, twice, leaks, other } = broken;
  console.log(
    `${threads} threads simulated: ${turns} turns done, ${faults} faults and ${kills} kills survived. ` +
      `${realTurns} turns of real programs: ${realKills} processes killed, ${fullDisks} full disks, ` +
      `${queuedTasks} tasks of queues, ${lowMemory} ceilings of memory (at most ${peakMiB} MiB used). ` +
      `Items lost ${lost}, tools run twice ${twice}, leaks ${leaks}, other laws broken ${other}.`,
  );
}
