// Runs the benchmarks and prints a table; writes bench/results/results.json and results.svg.
// usage: npm run bench [-- --rounds N] [name…]      peers: UNROLL_BENCH_PEER_CODEX=/path/to/codex npm run bench
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bench, BenchResult } from "./bench.ts";
import { renderChart } from "./render-chart.ts";
import { renderTable } from "./render-table.ts";

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  "sse-throughput": () => import("./sse-throughput.ts"),
  "start-up": () => import("./start-up.ts"),
  "tool-calls": () => import("./tool-calls.ts"),
  "apply-patch": () => import("./apply-patch.ts"),
  "sandbox-spawn": () => import("./sandbox-spawn.ts"),
};
const peerPrefix = "UNROLL_BENCH_PEER_";

const { values, positionals } = parseArgs({ options: { rounds: { type: "string" } }, allowPositionals: true });
const rounds = Number(values.rounds ?? 10);
const unknown = positionals.find((name) => !(name in benches));
if (unknown !== undefined || !Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write(`usage: npm run bench [-- --rounds N] [${Object.keys(benches).join("|")}]…\n`);
  process.exit(2);
}
const peers = Object.fromEntries(
  Object.entries(process.env).flatMap(([key, command]) =>
    key.startsWith(peerPrefix) && command ? [[key.slice(peerPrefix.length).toLowerCase(), command]] : [],
  ),
);

const results: BenchResult[] = [];
for (const [name, load] of Object.entries(benches)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  process.stderr.write(`running ${name}…\n`);
  const result = await (await load()).run({ rounds, peers });
  results.push(result);
  process.stdout.write(`${renderTable(result)}\n`);
}
const folder = join(import.meta.dirname, "../results");
await mkdir(folder, { recursive: true });
const machine = { node: process.version, platform: process.platform, arch: process.arch, rounds };
await writeFile(join(folder, "results.json"), `${JSON.stringify({ machine, results }, null, 2)}\n`);
await writeFile(join(folder, "results.svg"), await renderChart(results));
process.stdout.write("wrote bench/results/results.json and bench/results/results.svg\n");
