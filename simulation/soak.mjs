// As many random threads as fit into the time, and between them the real thing: whole programs and sandboxes that are killed.
//   node -C @unroll/source soak.mjs [seconds] [seed]      after npm run build; prints figures, exits with 1 where a law was broken
import { createChance } from "./src/chance/create-chance.ts";
import { openSimulation } from "./src/simulate-thread.ts";

// they belong to no package
const load = (path) => import(new URL(`../conformance/${path}`, import.meta.url).href);
const { killWriter } = await load("threads/kill-writer.mjs");
const { killHarness } = await load("sandbox/kill-harness.mjs");
const [seconds, firstSeed] = [
  Number(process.argv[2] ?? 3600),
  Number(process.argv[3] ?? Math.floor(Date.now() / 1000)),
];
const chance = createChance(firstSeed);
const random = () => chance.next();
const rounds = { threads: 200, writer: 25, harness: 12 };
const figures = { threads: 0, turns: 0, faults: 0, kills: 0, realKills: 0, lost: 0, twice: 0, leaks: 0, other: 0 };

const kinds = [
  ["lost", /^lost|never heard|not written down|no thread knows/],
  ["twice", /twice/],
  ["leaks", /secret|timers are left|still runs/],
];

/** Counts what a broken law cost, and says it at once. */
function tell(what, where) {
  const [kind] = kinds.find(([, pattern]) => pattern.test(what)) ?? ["other"];
  figures[kind] += 1;
  console.log(`BROKEN (${where}): ${what}`);
}

const simulate = await openSimulation();
const end = performance.now() + seconds * 1000;
let seed = firstSeed;
while (performance.now() < end) {
  for (let n = 0; n < rounds.threads && performance.now() < end; n++) {
    const { broken, figures: one } = await simulate((seed += 1) % 2 ** 32);
    figures.threads += 1;
    for (const name of ["turns", "faults", "kills"]) figures[name] += one[name];
    for (const law of broken) tell(law, `npm run simulate -- --seed ${seed} --steps`);
  }
  const written = await killWriter({ rounds: rounds.writer, random });
  for (const broken of written.broken) tell(broken, "kill-writer.mjs");
  const survived = await killHarness({ rounds: rounds.harness, random, sideBySide: 2 });
  for (let n = 0; n < survived; n++) tell("a command still runs when its harness was killed", "kill-harness.mjs");
  figures.realKills += rounds.writer + rounds.harness;
  print();
}
print();
process.exitCode = figures.lost + figures.twice + figures.leaks + figures.other > 0 ? 1 : 0;

function print() {
  const { threads, turns, faults, kills, realKills, lost, twice, leaks, other } = figures;
  console.log(
    `${threads} threads, ${turns} turns done, ${faults} faults and ${kills} kills survived, ${realKills} real processes killed; ` +
      `items lost ${lost}, tools run twice ${twice}, leaks ${leaks}, other laws broken ${other}`,
  );
}
