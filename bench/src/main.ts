// npm run bench                     the eight rows that users feel, beside codex and pi where they are installed
// npm run bench -- --all            everything; writes bench/results/results.json
// npm run bench -- NAME…            some of everything (sdks, plot, prefixes and two-builds only where they are named)
import { execFile } from "node:child_process";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
// @boundaries-ignore it belongs to no package
import { oneOf, parseArguments, text, wholeFrom } from "../../tooling/parse-arguments.ts";
import type { Bench, BenchResult } from "./bench.ts";
import { findPeers, readVersions } from "./peers.ts";
import { renderTable } from "./render-table.ts";
import { parseSeries, toSeriesLine } from "./series/parse-series.ts";
import { renderSeries } from "./series/render-series.ts";
import { measureShort, wholeAmounts } from "./short/measure-short.ts";
import { renderShort } from "./short/render-short.ts";

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  "sse-throughput": () => import("./sse-throughput.ts"),
  "start-up": () => import("./start-up.ts"),
  "tool-calls": () => import("./tool-calls.ts"),
  "login-shells": () => import("./login-shells.ts"),
  "sandbox-spawn": () => import("./sandbox-spawn.ts"),
  hosts: () => import("./hosts.ts"),
  "token-estimate": () => import("./token-estimate.ts"),
  threads: () => import("./threads.ts"),
  "many-threads": () => import("./many-threads.ts"),
  batch: () => import("./batch.ts"),
  fleet: () => import("./fleet.ts"),
  "app-server": () => import("./app-server.ts"),
  terminal: () => import("./terminal.ts"),
};
/** Only by name: it needs `--against`. */
const comparisons: Readonly<Record<string, () => Promise<Bench>>> = { "two-builds": () => import("./two-builds.ts") };
const measurable = { ...benches, ...comparisons };
/** Only by name: the first installs from the registry, which takes minutes; the others draw pictures of the README. */
const scripts: Readonly<Record<string, string>> = {
  sdks: "../../tooling/release/compare-sdks.mjs",
  plot: "plot-readme.ts",
  prefixes: "plot-prefixes.ts",
};

const named = [...Object.keys(measurable), ...Object.keys(scripts)];
const usage = [
  "npm run bench [-- --codex PATH] [--pi PATH] [--series FILE]",
  "       npm run bench -- --draw FILE",
  `       npm run bench -- [--rounds N] [--codex PATH] [--pi PATH] [--against COMMAND] --all|${named.join("|")}…`,
].join("\n");
const given = parseArguments(usage, {
  options: {
    rounds: wholeFrom(1),
    codex: text,
    pi: text,
    series: text,
    draw: text,
    against: text,
    child: oneOf(named),
  },
  flags: ["all"],
  rest: oneOf(named),
});
const rounds = given.rounds ?? 10;
const against = given.against === null ? null : resolve(given.against);
const peers = findPeers(given, process.env["PATH"] ?? "");
if (given.child !== null) await runHere(given.child);
else if (given.draw !== null) await draw(given.draw);
else if (given.all || given.rest.length > 0) await runNamed(given.all ? Object.keys(benches) : given.rest);
else await runShort();

async function runShort(): Promise<void> {
  const began = performance.now();
  const values = await measureShort(peers, wholeAmounts, (what) =>
    process.stderr.write(`${Math.round((performance.now() - began) / 1000)} s: ${what}…\n`),
  );
  const versions = { unroll: "", ...readVersions(peers) };
  process.stdout.write(`\n${renderShort(values, versions)}\n`);
  process.stdout.write(`${describeMachine()}; measured in ${Math.round((performance.now() - began) / 1000)} s\n`);
  if (given.series === null) return;
  await mkdir(dirname(resolve(given.series)), { recursive: true });
  const commit = (await promisify(execFile)("git", ["rev-parse", "HEAD"], { cwd: import.meta.dirname })).stdout.trim();
  await appendFile(given.series, toSeriesLine({ date: today(), commit, machine: describeMachine(), values }));
}

/** Beside the series: the same name, ending in `.svg`. */
async function draw(series: string): Promise<void> {
  const picture = `${series.replace(/\.jsonl$/, "")}.svg`;
  await writeFile(picture, renderSeries(parseSeries(await readFile(series, "utf8"))));
  process.stdout.write(`wrote ${picture}\n`);
}

function describeMachine(): string {
  return `${process.platform} ${process.arch}, ${availableParallelism()} cores, Node.js ${process.versions.node}`;
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

async function runNamed(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const script = scripts[name];
    if (script === undefined) continue;
    process.stderr.write(`running ${name}…\n`);
    const args = [join(import.meta.dirname, script), String(rounds)];
    process.stdout.write((await promisify(execFile)(process.execPath, args)).stdout);
  }
  const measured = names.filter((name) => name in measurable);
  if (measured.length > 0) await runAll(measured);
}

/** Each in a process of its own: what one leaves in memory would slow down how the next one spawns. */
async function runAll(names: readonly string[]): Promise<void> {
  const results: BenchResult[] = [];
  for (const name of names) {
    process.stderr.write(`running ${name}…\n`);
    const args = [
      ...process.execArgv,
      import.meta.filename,
      "--rounds",
      String(rounds),
      "--child",
      name,
      ...Object.entries(peers).flatMap(([peer, command]) => [`--${peer}`, command]),
      ...(against === null ? [] : ["--against", against]),
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
    const result = JSON.parse(stdout) as BenchResult;
    results.push(result);
    process.stdout.write(`${renderTable(result)}\n`);
  }
  const folder = join(import.meta.dirname, "../results");
  await mkdir(folder, { recursive: true });
  const machine = { date: today(), machine: describeMachine(), rounds, peers: readVersions(peers) };
  await writeFile(join(folder, "results.json"), `${JSON.stringify({ machine, results }, null, 2)}\n`);
  process.stdout.write("wrote bench/results/results.json\n");
}

async function runHere(name: string): Promise<void> {
  const bench = await measurable[name]?.();
  process.stdout.write(JSON.stringify(await bench?.run({ rounds, peers, against })));
}
