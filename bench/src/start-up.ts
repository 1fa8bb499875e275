import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { openCommandWorld } from "./command-world.ts";
import { measureCpu, measurePeakMemory, measureWall, type ProcessCommand } from "./measure-process.ts";
import { toPeerTurn } from "./peers.ts";
import { interleave, median } from "./statistics.ts";

export const name = "start-up";

const exec = ["exec", "--skip-git-repo-check", "-s", "danger-full-access", "Say hello."];
const ephemeral = ["exec", "--ephemeral", ...exec.slice(1)];
const memoryTarget = 60; // MiB
const shareTarget = 0.4; // of the time of codex

interface Measured {
  readonly command: ProcessCommand;
  /** Times bare node, in wall time; absent: no bound. */
  readonly target?: number;
}

/** Measures asking for the version or the help, and a turn of one message, over `node -e 0`. */
export async function run({ rounds, peers }: BenchOptions): Promise<BenchResult> {
  await using world = await openCommandWorld(() => ({ items: [{ text: "Hello." }] }));
  const measured: Readonly<Record<string, Measured>> = {
    "node -e 0": { command: world.node("-e", "0") },
    "unroll --version": { command: world.unroll("--version"), target: 1.4 },
    "unroll --help": { command: world.unroll("--help"), target: 1.4 },
    "unroll exec --ephemeral, one message": { command: world.unroll(...ephemeral), target: 3.4 },
    "unroll exec, one message": { command: world.unroll(...exec), target: 3.4 },
    ...Object.fromEntries(
      Object.entries(peers).map(([peer, command]) => [
        `${peer}, one message`,
        { command: world.peer(command, ...toPeerTurn(peer, "Say hello.", "danger-full-access")) },
      ]),
    ),
  };
  const commands = Object.entries(measured).map(([label, { command }]) => [label, command] as const);
  for (const [, command] of commands) await measureWall(command); // the first run fills caches
  const walls = await interleave(rounds, toMeasures(commands, measureWall));
  const cpus = await interleave(rounds, toMeasures(commands, measureCpu));
  const base = median(walls["node -e 0"] ?? []);
  const baseCpu = median(cpus["node -e 0"] ?? []);
  const rows: BenchRow[] = [];
  for (const [label, { command, target }] of Object.entries(measured)) {
    const value = median(walls[label] ?? []);
    const cpu = median(cpus[label] ?? []);
    const ok = target !== undefined && value / base <= target;
    const bound = target === undefined ? {} : { target: `<= ${target}x bare node`, ok };
    rows.push({ label: `${label}: wall`, value, unit: "ms", ratio: value / base, ...bound });
    rows.push({ label: `${label}: CPU`, value: cpu, unit: "ms", ratio: cpu / baseCpu });
    rows.push(await measureMemory(label, command));
  }
  const ours = median(walls["unroll exec, one message"] ?? []);
  return { name, rows: [...rows, ...Object.keys(peers).map((peer) => toShare(peer, ours, walls))] };
}

function toShare(peer: string, value: number, walls: Readonly<Record<string, readonly number[]>>): BenchRow {
  const ratio = value / median(walls[`${peer}, one message`] ?? []);
  const bound = peer === "codex" && { target: `<= ${shareTarget}x`, ok: ratio <= shareTarget };
  return { label: `unroll exec, one message, against ${peer}: wall`, value, unit: "ms", ratio, ...bound };
}

async function measureMemory(label: string, command: ProcessCommand): Promise<BenchRow> {
  const peaks = await interleave(3, { peak: () => measurePeakMemory(command) });
  const value = median(peaks.peak);
  const bound = label.startsWith("unroll exec") && { target: `<= ${memoryTarget} MiB`, ok: value <= memoryTarget };
  return { label: `${label}: peak memory`, value, unit: "MiB", ...bound };
}

function toMeasures(
  commands: readonly (readonly [string, ProcessCommand])[],
  measure: (command: ProcessCommand) => Promise<number>,
): Record<string, () => Promise<number>> {
  return Object.fromEntries(commands.map(([label, command]) => [label, () => measure(command)]));
}
