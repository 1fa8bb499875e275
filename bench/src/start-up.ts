import type { BenchOptions, BenchResult, BenchRow } from "./bench.ts";
import { openCommandWorld } from "./command-world.ts";
import { measurePeakMemory, measureWall, type ProcessCommand } from "./measure-process.ts";
import { interleave, median } from "./statistics.ts";

export const name = "start-up";

const exec = ["exec", "--skip-git-repo-check", "-s", "danger-full-access", "Say hello."];
const turnTarget = 6; // times bare node
const memoryTarget = 100; // MiB

/** What it costs to ask for the version, and to run a turn of one message, over `node -e 0`. */
export async function run({ rounds, peers }: BenchOptions): Promise<BenchResult> {
  await using world = await openCommandWorld(() => ({ items: [{ text: "Hello." }] }));
  const commands: Record<string, ProcessCommand> = {
    "node -e 0": world.node("-e", "0"),
    "unroll --version": world.unroll("--version"),
    "unroll exec, one message": world.unroll(...exec),
  };
  for (const [peer, command] of Object.entries(peers))
    commands[`${peer} exec, one message`] = world.peer(command, ...exec);

  const measures = Object.entries(commands).map(([label, command]) => [label, () => measureWall(command)] as const);
  for (const [, measure] of measures) await measure(); // the first run fills caches
  const walls = await interleave(rounds, Object.fromEntries(measures));
  const base = median(walls["node -e 0"] ?? []);
  const rows: BenchRow[] = [];
  for (const [label, command] of Object.entries(commands)) {
    const value = median(walls[label] ?? []);
    const isTurn = label === "unroll exec, one message";
    const target = isTurn ? { target: `<= ${turnTarget}x bare node`, ok: value / base <= turnTarget } : {};
    rows.push({ label: `${label}: wall`, value, unit: "ms", ratio: value / base, ...target });
    const peaks = await interleave(Math.min(rounds, 5), { peak: () => measurePeakMemory(command) });
    const peak = median(peaks.peak);
    const bound = isTurn ? { target: `<= ${memoryTarget} MiB`, ok: peak <= memoryTarget } : {};
    rows.push({ label: `${label}: peak memory`, value: peak, unit: "MiB", ...bound });
  }
  return { name, rows };
}
