// Runs the benchmarks and prints a table; writes bench/results/results.json and results.svg.
// usage: npm run bench [-- --rounds N] [--peers DIR] [name…]   (sdks, plot, prefixes and two-builds only where they are named)
//        npm run bench -- --against DIR/bin/unroll two-builds
// peers: those that npm installed below DIR, or UNROLL_BENCH_PEER_CODEX=/path/to/codex
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
// @boundaries-ignore it belongs to no package
import { oneOf, parseArguments, text, wholeFrom } from "../../tooling/parse-arguments.ts";
import type { Bench, BenchResult } from "./bench.ts";
import { findPeers, readVersions } from "./peers.ts";
import { renderChart } from "./render-chart.ts";
import { renderTable } from "./render-table.ts";

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  "sse-throughput": () => import("./sse-throughput.ts"),
  "start-up": () => import("./start-up.ts"),
  "tool-calls": () => import("./tool-calls.ts"),
  "login-shells": () => import("./login-shells.ts"),
  "apply-patch": () => import("./apply-patch.ts"),
  "patch-commit": () => import("./patch-commit.ts"),
  "sandbox-spawn": () => import("./sandbox-spawn.ts"),
  "token-estimate": () => import("./token-estimate.ts"),
  threads: () => import("./threads.ts"),
  "many-threads": () => import("./many-threads.ts"),
  "app-server": () => import("./app-server.ts"),
  screen: () => import("./screen.ts"),
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
const given = parseArguments(`npm run bench [-- --rounds N] [--peers DIR] [--against COMMAND] [${named.join("|")}]…`, {
  options: { rounds: wholeFrom(1), peers: text, against: text, child: oneOf(named) },
  rest: oneOf(named),
});
const rounds = given.rounds ?? 10;
const against = given.against === null ? null : resolve(given.against);
const peers = findPeers(given.peers === null ? null : resolve(given.peers));
if (given.child === null) await runNamed(given.rest.length > 0 ? given.rest : Object.keys(benches));
else await runHere(given.child);

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
      ...(given.peers === null ? [] : ["--peers", given.peers]),
      ...(against === null ? [] : ["--against", against]),
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
    const result = JSON.parse(stdout) as BenchResult;
    results.push(result);
    process.stdout.write(`${renderTable(result)}\n`);
  }
  const folder = join(import.meta.dirname, "../results");
  await mkdir(folder, { recursive: true });
  const { version: node, platform, arch } = process;
  const date = new Date().toISOString().slice(0, 10);
  const machine = { date, node, platform, arch, cores: availableParallelism(), rounds, peers: readVersions(peers) };
  await writeFile(join(folder, "results.json"), `${JSON.stringify({ machine, results }, null, 2)}\n`);
  await writeFile(join(folder, "results.svg"), await renderChart(results, describe(machine)));
  process.stdout.write("wrote bench/results/results.json and bench/results/results.svg\n");
}

async function runHere(name: string): Promise<void> {
  const bench = await measurable[name]?.();
  process.stdout.write(JSON.stringify(await bench?.run({ rounds, peers, against })));
}

/** When and with what it was measured, for the plot. */
function describe({ date, node, cores, peers: versions }: Machine): string {
  const others = Object.entries(versions).map(([name, version]) => `${name} ${version.replace(/^.* /, "")}`);
  return [date, `Node.js ${node}`, `${cores} cores`, ...others].join(" · ");
}

interface Machine {
  readonly date: string;
  readonly node: string;
  readonly cores: number;
  readonly peers: Readonly<Record<string, string>>;
}
